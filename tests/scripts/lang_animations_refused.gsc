// What tree directives may not be, and where.
#using_animtree(walker);                // expect error: expected the name of a tree in quotes but found 'walker'
#using_animtree("");                    // expect error: a tree is named by a plain word, not ""
#using_animtree("two words");           // expect error: a tree is named by a plain word, not "two words"

main()
{
    #using_animtree("runner");          // expect error: '#using_animtree' stands between functions, not within one
}
