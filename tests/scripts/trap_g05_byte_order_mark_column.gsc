main() { x = ; } // expect error: expected a value but found
// Columns are those of the text after the byte order mark.
