// Scripts are bytes: any may stand in a string or a comment, and each counts as one. Here they are those of é and ß.
main()
{
    println("é".size);                  // expect: 2
    text = "aéß";
    println(text, " ", text.size);      // expect: aéß 5
    println(text[0] + text[1] + text[2]);       // expect: aé
    println(text == "aé" + "ß");        // expect: 1
}
