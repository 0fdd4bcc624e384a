// This file begins with a byte order mark, which counts for nothing.
main()
{
    println("read");                    // expect: read
}
