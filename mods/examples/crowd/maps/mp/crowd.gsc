// Thirty soldiers instead of twelve. The settings of the sandbox are fields of level, so a mod that comes
// later may simply set them again.

main()
{
	level.soldiers["olive"] = 15;
	level.soldiers["grey"] = 15;
	level.return_seconds = 4;
	level.winning_score = 3000;
	iprintln("A crowd gathers in the yard.");
}
