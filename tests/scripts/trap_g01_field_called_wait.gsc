// A field called Wait is no wait statement, with or without its own parentheses.
main()
{
    self.Wait = 0.05;
    if (self.Wait > 0) wait(self.Wait);
    println(gettime() > 0, self.Wait == 0.05);  // expect: 11
}
