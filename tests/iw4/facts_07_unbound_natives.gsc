// 7, 18: a built-in of the game that this engine lacks is known by name, and the load is refused with the reason.
main()
{
    spawnhelicopter(); // expect error: 'spawnhelicopter' is a built-in of Modern Warfare 2 that this engine does not have: there are no vehicles
    level openpopupmenu("x"); // expect error: 'openpopupmenu' is a built-in .* menus are the player's own
}
