"""Built-ins of Modern Warfare 2 that this engine refuses: scripts that call them do not load, and are told why.

docs/iw4.md lists them; a test keeps the page and this table together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.gsc.catalogue import Signature


class Refusal(NamedTuple):
    """Why some functions and methods are not there."""

    why: str
    functions: str = ""
    methods: str = ""


REFUSALS = (
    Refusal(
        "there are no vehicles",
        functions="""
            getallvehiclenodes getvehiclenode getvehiclenodearray spawnhelicopter spawnplane
            spawnvehicle
        """,
        methods="""
            canplayerplacetank cleargoalyaw clearlookatent cleartargetyaw freehelicopter
            remotecontrolvehicle setaccel setairresistance setgoalyaw sethoverparams setlookatent
            setmaxpitchroll setneargoalnotifydist setspeed settargetyaw setturningability setvehgoalpos
            setvehiclelookattext setvehicleteam setvehweapon setyawspeed vehicle_setspeed vehicledriveon
            vehicleturretcontroloff vehicleturretcontrolon
        """,
    ),
    Refusal(
        "there are no turrets",
        functions="isturretactive spawnturret",
        methods="""
            canfiresentry canplayerplacesentry cleartargetentity clearturrettarget fireweapon
            getturretowner getturrettarget isusingturret maketurretinoperable maketurretoperable
            maketurretsolid makeunusable makeusable remotecontrolturret remotecontrolturretoff
            setaispread setautorotationdelay setbottomarc setconvergencetime setdefaultdroppitch
            setleftarc setmode setplayerspread setrightarc setsentrycarrier setsentryowner
            settargetentity settoparc setturretcanaidetach setturretminimapvisible
            setturretmodechangewait setturrettargetent setturrettargetvec setturretteam startfiring
            stopfiring
        """,
    ),
    Refusal(
        "there are no missiles",
        functions="""
            isvalidmissile missile_createattractorent missile_createattractororigin
            missile_createrepulsorent missile_createrepulsororigin missile_deleteattractor
        """,
        methods="""
            detonate disableoffhandweapons enableoffhandweapons fragbuttonpressed getcurrentoffhand
            getoffhandsecondaryclass getweaponslistoffhands isthrowinggrenade isusingoffhand
            launchgrenade magicgrenade missile_setflightmodedirect missile_setflightmodetop
            missile_settargetent missile_settargetpos secondaryoffhandbuttonpressed
            setoffhandprimaryclass setoffhandsecondaryclass switchtooffhand
        """,
    ),
    Refusal(
        "there is no map on the screen",
        functions="convertlocationselectiontospatial precachelocationselector precacheminimapicon setminimap",
        methods="beginlocationselection endlocationselection pingplayer setlocationselection",
    ),
    Refusal(
        "there is no radar",
        functions="""
            blockteamradar getteamradar getuavstrengthlevelneutral
            getuavstrengthlevelshowenemydirectional getuavstrengthlevelshowenemyfastsweep
            getuavstrengthmax getuavstrengthmin setteamradar setteamradarstrength unblockteamradar
        """,
        methods="radarjamoff radarjamon setempjammed",
    ),
    Refusal(
        "there is no glass",
        functions="""
            deleteglass destroyglass getglass getglassarray getglassorigin glassradiusdamage
            isglassdestroyed
        """,
    ),
    Refusal(
        "there is no rumble",
        functions="playrumblelooponposition playrumbleonposition precacherumble stopallrumbles",
        methods="playrumblelooponentity playrumbleonentity stoprumble",
    ),
    Refusal(
        "sounds are heard by everyone near them",
        functions="playsoundtoteam",
        methods="playsoundasmaster playsoundtoplayer playsoundtoteam stoplocalsound",
    ),
    Refusal(
        "nothing is recorded about players",
        functions="""
            getcountertotal getmatchdata getmatchdatadef getplayerdata incrementcounter
            precacheleaderboards sendclientmatchdata sendmatchdata setclientmatchdata setmatchclientip
            setmatchdata setmatchdatadef setmatchdataid setplayerteamrank
        """,
        methods="""
            getplayerdata getplayersetting getprivateplayerdata getrankedplayerdata getstat
            incrementplayerstat isitemunlocked setcarddisplayslot setcardicon setcardnameplate
            setcardtitle setclientstat setcommonplayerdata setplayerdata setrank setrankedplayerdata
            setstat updatedmscores updatescores updateteamscores uploadscore
        """,
    ),
    Refusal(
        "there is no server that players join",
        functions="""
            ban endlobby endparty getassignedteam getplayerbyguid kick killserver map matchend partyhost
            reconspectate setnojipscore setnojiptime
        """,
        methods="getxuid ispartyhost kccleanup setentertime",
    ),
    Refusal(
        "weapons have the facts of their files only",
        functions="""
            bulletspread getweaponclipmodel getweaponflashtagname getweaponhidetags weaponaltweaponname
            weaponclass weaponclipsize weapondualwieldweaponname weaponfiretime weaponhasthermalscope
            weaponinventorytype weaponisauto weaponisboltaction weaponissemiauto weaponmaxammo
            weaponstartammo weapontype weaponweight
        """,
        methods="""
            anyammoforweaponmodes player_recoilscaleoff player_recoilscaleon recoilscaleoff
            recoilscaleon resetspreadoverride setaimspreadmovementscale setspreadoverride
        """,
    ),
    Refusal(
        "weapons are in slots: the slot methods of United Offensive tell and set what is in them",
        methods="""
            disableweaponswitch dropitem dropscavengerbag enableweaponswitch getammocount
            getcurrentprimaryweapon getweaponammoclip getweaponammostock getweaponslist
            getweaponslistall getweaponslistexclusives getweaponslistprimaries initialweaponraise
            itemgetammo itemweaponsetammo setweaponammoclip setweaponammostock switchtoweaponimmediate
        """,
    ),
    Refusal(
        "players have no perks",
        methods="clearperks hasperk setmovespeedscale setperk unsetperk",
    ),
    Refusal(
        "menus are the player's own",
        functions="isusinglocalizedtext",
        methods="""
            closeingamemenu closemenu closepopupmenu openluimenu openmenu openpopupmenu
            openpopupmenunomouse setscore setscoreboard showscoreboard
        """,
    ),
    Refusal(
        "keys are the player's own: only what the game binds reaches a script",
        methods="""
            buttonpressed getnormalizedmovement notifyonplayercommand notifyonplayercommandremove
            setactionslot
        """,
    ),
    Refusal(
        "the picture is that of the level's light and fog",
        functions="""
            resetsunlight setslowmotion setsunlight setthermalbodymaterial visionsetmissilecam
            visionsetnaked visionsetnight visionsetpain visionsetthermal
        """,
        methods="""
            autospotoverlayoff autospotoverlayon laseraltviewoff laseraltviewon laseroff laseron
            setblurforplayer setdepthoffield setviewmodeldepthoffield stopshellshock thermaldrawdisable
            thermaldrawenable thermalvisionfofoverlayoff thermalvisionfofoverlayon thermalvisionoff
            thermalvisionon viewkick visionsetmissilecamforplayer visionsetnakedforplayer
            visionsetnightforplayer visionsetthermalforplayer
        """,
    ),
    Refusal(
        "effects are played once, with playfx and playfxontag, or with playloopedfx",
        functions="spawnfx spawnloopfx stopfxontag triggerfx",
    ),
    Refusal(
        "things that lie about do not roll: only movers, players and actors move",
        functions="physicsexplosioncylinder physicsexplosionsphere physicsjitter physicsjolt spawnragdoll",
        methods="""
            addpitch addroll addyaw isragdoll moveslide physicslaunchclient physicslaunchserver
            setwaterspeed startragdoll stopmoveslide vibrate
        """,
    ),
    Refusal(
        "models are shown whole",
        methods="""
            hidepart hidepart_allinstances scriptmodelclearanim scriptmodelplayanim setdamagestate
            showallparts showpart
        """,
    ),
    Refusal(
        "elements of the HUD lie on the screen and not in the level",
        methods="""
            changefontscaleovertime cleartargetent rotatingicon secondaryarrow setgametypestring
            setmapnamestring setplayernamestring setpulsefx settargetent settenthstimerstatic
            settimerstatic setwaypoint setwaypointedgestyle_rotatingicon
            setwaypointedgestyle_secondaryarrow setwaypointiconoffscreenonly
        """,
    ),
    Refusal(
        "there is nobody to look on: a player plays or waits",
        methods="""
            allowspectateteam cameralinkto cameraunlink controlslinkto controlsunlink
            forcespectatorclient getspectatingplayer playerlinkedoffsetdisable playerlinkedoffsetenable
            playerlinktoabsolute playerlinktodelta playerlinkweaponviewtodelta setspectatedefaults
            setspectatorclient spawnspectator
        """,
    ),
    Refusal(
        "scripts read and write no files",
        functions="closefile fgetarg fprintfields fprintln freadln openfile",
    ),
)
FUNCTIONS = {name: refusal.why for refusal in REFUSALS for name in refusal.functions.split()}
METHODS = {name: refusal.why for refusal in REFUSALS for name in refusal.methods.split()}


class Refused:
    """The table as a catalogue of names that exist and are not available."""

    def function(self, name: str) -> Signature | None:
        return Signature(name, implemented=False, why=FUNCTIONS[name]) if name in FUNCTIONS else None

    def method(self, name: str) -> Signature | None:
        return Signature(name, implemented=False, why=METHODS[name]) if name in METHODS else None

    def function_names(self) -> Iterable[str]:
        return FUNCTIONS

    def method_names(self) -> Iterable[str]:
        return METHODS
