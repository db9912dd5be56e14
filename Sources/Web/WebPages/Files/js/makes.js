/**
 * Common makes and their models for each kind of bike, suggested while a person types. A line has a make and its
 * models.
 */
const lists = {
  bicycle: `Batavus:Dinsdag,Quip
Bianchi:C-Sport,Infinito,Oltre,Via Nirone
Brompton:A Line,C Line,Electric,G Line,P Line,T Line
Bulls:Copperhead,Cross Rider,Sturmvogel
Cannondale:Quick,SuperSix Evo,Synapse,Topstone,Trail
Canyon:Aeroad,Endurace,Grail,Grizl,Ultimate
Carrera:Crossfire,Subway,Vengeance
Cube:Aim,Attain,Kathmandu,Nuroad,Reaction,Stereo,Touring
Dahon:Mariner,Speed,Vitesse
Decathlon:Riverside,Rockrider,Tilt,Triban
Focus:Atlas,Aventura,Izalco
Fuji:Absolute,Jari,Touring
Gazelle:Chamonix,CityGo,Esprit,Ultimate
Ghost:Kato,Lector,Square
Giant:Contend,Defy,Escape,Revolt,Talon,TCR
Gocycle:G4
Hercules:Futura,Robert,Uno
Kalkhoff:Agattu,Endeavour,Image
Koga:F3,Miyata,Signature
Kona:Dew,Process,Rove,Sutra
KTM:Life,Macina,Ultra
Liv:Alight,Avail,Tempt
Marin:Fairfax,Four Corners,Muirwoods
Merida:Big.Nine,Crossway,Scultura,Silex
Moulton:TSR
Orbea:Alma,Carpe,Orca,Terra
Pashley:Britannia,Guv’nor,Poppy,Roadster
Pegasus:Avanti,Piazza,Solero
Pinarello:Dogma,Gan,Prince
Raleigh:Array,Motus,Pioneer,Strada
Ribble:CGR,Endurance,Hybrid AL
Ridgeback:Comet,Speed,Voyage
Riese & Müller:Birdy,Charger,Load,Nevo,Packster,Roadster
Rose:Backroad,Pro SL,Reveal
Santa Cruz:Bronson,Hightower,Nomad,Tallboy
Scott:Addict,Aspect,Scale,Spark,Speedster,Sub
Simplon:Inissio,Pride,Silkcarbon
Specialized:Allez,Diverge,Roubaix,Rockhopper,Sirrus,Stumpjumper,Tarmac,Turbo Vado
Stevens:Galant,Prestige,Strada,X-Cross
Surly:Cross-Check,Long Haul Trucker,Straggler
Tern:GSD,HSD,Link,Verge
Trek:Checkpoint,Domane,Dual Sport,Émonda,FX,Marlin,Verve
Urban Arrow:Family,Shorty
Van Nicholas:Amazon,Yukon
VanMoof:A5,S3,S5,X3
Victoria:Trekking,Tresalo
Voodoo:Bizango,Marasa
VSF Fahrradmanufaktur:T-50,T-100,T-300,T-700
Winora:Holiday,Sinus
Yuba:Kombi,Mundo,Spicy Curry`,
  motorbike: `Aprilia:RS 660,RSV4,Tuareg 660,Tuono
Benelli:Leoncino,TNT 125,TRK 502
BMW:F 800 GS,F 900 R,G 310 R,R 1250 GS,R 1300 GS,R nineT,S 1000 RR
Brixton:Crossfire,Cromwell,Felsberg
CFMOTO:450SR,700CL-X,800MT
Ducati:Diavel,Monster,Multistrada,Panigale,Scrambler
Harley-Davidson:Fat Boy,Iron 883,Pan America,Road King,Sportster S,Street Glide
Honda:Africa Twin,CB125R,CB500F,CB650R,CBF125,CBR600RR,CBR1000RR,CRF300L,Gold Wing,MSX125,Monkey,Rebel 500,Transalp
Husqvarna:701,Norden 901,Svartpilen,Vitpilen
Indian:Chief,FTR,Scout
Kawasaki:Eliminator,ER-6n,Ninja 400,Ninja 650,Ninja ZX-6R,Versys 650,Vulcan S,W800,Z650,Z900
KTM:125 Duke,390 Duke,690 SMC R,790 Adventure,890 Duke,1290 Super Adventure
Mash:Seventy Five,Two Fifty
Moto Guzzi:V7,V85 TT,V100
MV Agusta:Brutale,F3
Royal Enfield:Bullet,Classic 350,Continental GT,Himalayan,Hunter 350,Interceptor,Meteor
Simson:S 50,S 51,Schwalbe
Suzuki:Bandit,DR-Z400,GSX-R600,GSX-R750,GSX-S750,Hayabusa,SV650,V-Strom 650
SWM:RS 300 R,Superdual
Triumph:Bonneville,Daytona,Rocket 3,Scrambler,Speed Triple,Speed Twin,Street Triple,Street Twin,Thruxton,Tiger 900,Trident
Yamaha:MT-03,MT-07,MT-09,MT-125,R1,R6,R7,R125,Ténéré 700,Tracer 9,XSR700
Zero:DS,FX,SR/F`,
  scooter: `Aprilia:SR GT,SXR 50
BMW:C 400 X,CE 04
Gilera:Nexus,Runner
Honda:Forza 125,Forza 350,NSC50R,PCX125,SH125i,SH350i,Vision 110,X-ADV
Keeway:Versilia
Kymco:Agility,Downtown,Like,People S,X-Town
Lambretta:G350,V125,X300
Lexmoto:Diablo,Echo
LML:Star
NIU:KQi3,MQi,NQi,UQi
Peugeot:Django,Kisbee,Metropolis,Speedfight,Tweet
Piaggio:Beverly,Liberty,Medley,MP3,Typhoon,Zip
Rieju:Nuuk
Segway:E110,E125,Ninebot Max
Silence:S01,S02
Suzuki:Address,Burgman
SYM:Cruisym,Fiddle,Jet,Orbit,Symphony
Unu:Scooter
Vespa:Elettrica,ET4,GTS 125,GTS 300,LX,Primavera,PX,Sprint
Yamaha:Aerox,D’elight,Neo’s,NMAX,RayZR,Tricity,TMAX,XMAX
Xiaomi:Electric Scooter 4,Mi Pro 2`,
};

/**
 * The makes of a kind, each with its models.
 *
 * @param {string} kind
 * @returns {Map<string, string[]>}
 */
export function makes(kind) {
  const lines = lists[/** @type {keyof typeof lists} */ (kind)] ?? Object.values(lists).join("\n");
  const found = new Map();
  for (const line of lines.split("\n")) {
    const [make, models] = line.split(":");
    found.set(make, [...(found.get(make) ?? []), ...models.split(",")]);
  }
  return found;
}
