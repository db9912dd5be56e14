// Written by scripts/web-files.sh.
#include "CWebFiles.h"
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "files/app.html"
};

static const unsigned char file_1[] = {
#embed "files/desk.css"
};

static const unsigned char file_2[] = {
#embed "files/desk.html"
};

static const unsigned char file_3[] = {
#embed "files/display.css"
};

static const unsigned char file_4[] = {
#embed "files/display.html"
};

static const unsigned char file_5[] = {
#embed "files/icon-180.png"
};

static const unsigned char file_6[] = {
#embed "files/icon-192.png"
};

static const unsigned char file_7[] = {
#embed "files/icon-512.png"
};

static const unsigned char file_8[] = {
#embed "files/icon.svg"
};

static const unsigned char file_9[] = {
#embed "files/js/ages.js"
};

static const unsigned char file_10[] = {
#embed "files/js/api.js"
};

static const unsigned char file_11[] = {
#embed "files/js/app.js"
};

static const unsigned char file_12[] = {
#embed "files/js/colours.js"
};

static const unsigned char file_13[] = {
#embed "files/js/confirm.js"
};

static const unsigned char file_14[] = {
#embed "files/js/desk/actions.js"
};

static const unsigned char file_15[] = {
#embed "files/js/desk/app.js"
};

static const unsigned char file_16[] = {
#embed "files/js/desk/coverage.js"
};

static const unsigned char file_17[] = {
#embed "files/js/desk/frame.js"
};

static const unsigned char file_18[] = {
#embed "files/js/desk/numbers.js"
};

static const unsigned char file_19[] = {
#embed "files/js/desk/pages/access.js"
};

static const unsigned char file_20[] = {
#embed "files/js/desk/pages/audit.js"
};

static const unsigned char file_21[] = {
#embed "files/js/desk/pages/invitations.js"
};

static const unsigned char file_22[] = {
#embed "files/js/desk/pages/messages.js"
};

static const unsigned char file_23[] = {
#embed "files/js/desk/pages/overview.js"
};

static const unsigned char file_24[] = {
#embed "files/js/desk/pages/owner.js"
};

static const unsigned char file_25[] = {
#embed "files/js/desk/pages/reviews.js"
};

static const unsigned char file_26[] = {
#embed "files/js/desk/pages/sign-in.js"
};

static const unsigned char file_27[] = {
#embed "files/js/desk/pages/station.js"
};

static const unsigned char file_28[] = {
#embed "files/js/desk/pages/stations.js"
};

static const unsigned char file_29[] = {
#embed "files/js/desk/parts.js"
};

static const unsigned char file_30[] = {
#embed "files/js/desk/place.js"
};

static const unsigned char file_31[] = {
#embed "files/js/desk/session.js"
};

static const unsigned char file_32[] = {
#embed "files/js/desk/station-list.js"
};

static const unsigned char file_33[] = {
#embed "files/js/desk/station-map.js"
};

static const unsigned char file_34[] = {
#embed "files/js/desk/stations.js"
};

static const unsigned char file_35[] = {
#embed "files/js/desk/text.js"
};

static const unsigned char file_36[] = {
#embed "files/js/desk/watch.js"
};

static const unsigned char file_37[] = {
#embed "files/js/display.js"
};

static const unsigned char file_38[] = {
#embed "files/js/display/feed.js"
};

static const unsigned char file_39[] = {
#embed "files/js/display/pairing.js"
};

static const unsigned char file_40[] = {
#embed "files/js/display/screen.js"
};

static const unsigned char file_41[] = {
#embed "files/js/display/texts.js"
};

static const unsigned char file_42[] = {
#embed "files/js/display/view.js"
};

static const unsigned char file_43[] = {
#embed "files/js/dom.js"
};

static const unsigned char file_44[] = {
#embed "files/js/early.js"
};

static const unsigned char file_45[] = {
#embed "files/js/format.js"
};

static const unsigned char file_46[] = {
#embed "files/js/invitation.js"
};

static const unsigned char file_47[] = {
#embed "files/js/language.js"
};

static const unsigned char file_48[] = {
#embed "files/js/makes.js"
};

static const unsigned char file_49[] = {
#embed "files/js/pages/about.js"
};

static const unsigned char file_50[] = {
#embed "files/js/pages/account.js"
};

static const unsigned char file_51[] = {
#embed "files/js/pages/beacon-test.js"
};

static const unsigned char file_52[] = {
#embed "files/js/pages/bike-form.js"
};

static const unsigned char file_53[] = {
#embed "files/js/pages/bike.js"
};

static const unsigned char file_54[] = {
#embed "files/js/pages/bikes.js"
};

static const unsigned char file_55[] = {
#embed "files/js/pages/channels.js"
};

static const unsigned char file_56[] = {
#embed "files/js/pages/devices.js"
};

static const unsigned char file_57[] = {
#embed "files/js/pages/earlier.js"
};

static const unsigned char file_58[] = {
#embed "files/js/pages/gone.js"
};

static const unsigned char file_59[] = {
#embed "files/js/pages/join.js"
};

static const unsigned char file_60[] = {
#embed "files/js/pages/letter.js"
};

static const unsigned char file_61[] = {
#embed "files/js/pages/members.js"
};

static const unsigned char file_62[] = {
#embed "files/js/pages/messages.js"
};

static const unsigned char file_63[] = {
#embed "files/js/pages/next-steps.js"
};

static const unsigned char file_64[] = {
#embed "files/js/pages/parking.js"
};

static const unsigned char file_65[] = {
#embed "files/js/pages/pending.js"
};

static const unsigned char file_66[] = {
#embed "files/js/pages/photos.js"
};

static const unsigned char file_67[] = {
#embed "files/js/pages/poster.js"
};

static const unsigned char file_68[] = {
#embed "files/js/pages/ready.js"
};

static const unsigned char file_69[] = {
#embed "files/js/pages/recovered.js"
};

static const unsigned char file_70[] = {
#embed "files/js/pages/rotation.js"
};

static const unsigned char file_71[] = {
#embed "files/js/pages/search.js"
};

static const unsigned char file_72[] = {
#embed "files/js/pages/setup.js"
};

static const unsigned char file_73[] = {
#embed "files/js/pages/share.js"
};

static const unsigned char file_74[] = {
#embed "files/js/pages/shares.js"
};

static const unsigned char file_75[] = {
#embed "files/js/pages/sign-in.js"
};

static const unsigned char file_76[] = {
#embed "files/js/pages/sign-up.js"
};

static const unsigned char file_77[] = {
#embed "files/js/pages/turn-on.js"
};

static const unsigned char file_78[] = {
#embed "files/js/pages/upkeep.js"
};

static const unsigned char file_79[] = {
#embed "files/js/pages/welcome.js"
};

static const unsigned char file_80[] = {
#embed "files/js/parts.js"
};

static const unsigned char file_81[] = {
#embed "files/js/passkeys.js"
};

static const unsigned char file_82[] = {
#embed "files/js/police.js"
};

static const unsigned char file_83[] = {
#embed "files/js/problems.js"
};

static const unsigned char file_84[] = {
#embed "files/js/push.js"
};

static const unsigned char file_85[] = {
#embed "files/js/saved.js"
};

static const unsigned char file_86[] = {
#embed "files/js/session.js"
};

static const unsigned char file_87[] = {
#embed "files/js/text.js"
};

static const unsigned char file_88[] = {
#embed "files/js/text/about.js"
};

static const unsigned char file_89[] = {
#embed "files/js/text/de-about.js"
};

static const unsigned char file_90[] = {
#embed "files/js/text/de-bike.js"
};

static const unsigned char file_91[] = {
#embed "files/js/text/de-desk.js"
};

static const unsigned char file_92[] = {
#embed "files/js/text/de-details.js"
};

static const unsigned char file_93[] = {
#embed "files/js/text/de-display.js"
};

static const unsigned char file_94[] = {
#embed "files/js/text/de-letter.js"
};

static const unsigned char file_95[] = {
#embed "files/js/text/de-members.js"
};

static const unsigned char file_96[] = {
#embed "files/js/text/de-messages.js"
};

static const unsigned char file_97[] = {
#embed "files/js/text/de-parking.js"
};

static const unsigned char file_98[] = {
#embed "files/js/text/de-poster.js"
};

static const unsigned char file_99[] = {
#embed "files/js/text/de-problems.js"
};

static const unsigned char file_100[] = {
#embed "files/js/text/de-recovered.js"
};

static const unsigned char file_101[] = {
#embed "files/js/text/de-setup.js"
};

static const unsigned char file_102[] = {
#embed "files/js/text/de-share.js"
};

static const unsigned char file_103[] = {
#embed "files/js/text/de-upkeep.js"
};

static const unsigned char file_104[] = {
#embed "files/js/text/de.js"
};

static const unsigned char file_105[] = {
#embed "files/js/text/en-about.js"
};

static const unsigned char file_106[] = {
#embed "files/js/text/en-bike.js"
};

static const unsigned char file_107[] = {
#embed "files/js/text/en-desk.js"
};

static const unsigned char file_108[] = {
#embed "files/js/text/en-details.js"
};

static const unsigned char file_109[] = {
#embed "files/js/text/en-display.js"
};

static const unsigned char file_110[] = {
#embed "files/js/text/en-letter.js"
};

static const unsigned char file_111[] = {
#embed "files/js/text/en-members.js"
};

static const unsigned char file_112[] = {
#embed "files/js/text/en-messages.js"
};

static const unsigned char file_113[] = {
#embed "files/js/text/en-parking.js"
};

static const unsigned char file_114[] = {
#embed "files/js/text/en-poster.js"
};

static const unsigned char file_115[] = {
#embed "files/js/text/en-problems.js"
};

static const unsigned char file_116[] = {
#embed "files/js/text/en-recovered.js"
};

static const unsigned char file_117[] = {
#embed "files/js/text/en-setup.js"
};

static const unsigned char file_118[] = {
#embed "files/js/text/en-share.js"
};

static const unsigned char file_119[] = {
#embed "files/js/text/en-upkeep.js"
};

static const unsigned char file_120[] = {
#embed "files/js/text/en.js"
};

static const unsigned char file_121[] = {
#embed "files/js/text/messages.js"
};

static const unsigned char file_122[] = {
#embed "files/js/text/parking.js"
};

static const unsigned char file_123[] = {
#embed "files/js/text/poster.js"
};

static const unsigned char file_124[] = {
#embed "files/js/text/recovered.js"
};

static const unsigned char file_125[] = {
#embed "files/js/text/setup.js"
};

static const unsigned char file_126[] = {
#embed "files/js/text/upkeep.js"
};

static const unsigned char file_127[] = {
#embed "files/js/trail/base.js"
};

static const unsigned char file_128[] = {
#embed "files/js/trail/list.js"
};

static const unsigned char file_129[] = {
#embed "files/js/trail/live-mark.js"
};

static const unsigned char file_130[] = {
#embed "files/js/trail/live.js"
};

static const unsigned char file_131[] = {
#embed "files/js/trail/map.js"
};

static const unsigned char file_132[] = {
#embed "files/js/trail/stays.js"
};

static const unsigned char file_133[] = {
#embed "files/js/trail/tiles.js"
};

static const unsigned char file_134[] = {
#embed "files/js/trusted.js"
};

static const unsigned char file_135[] = {
#embed "files/js/unsaved.js"
};

static const unsigned char file_136[] = {
#embed "files/manifest.webmanifest"
};

static const unsigned char file_137[] = {
#embed "files/service-worker.js"
};

static const unsigned char file_138[] = {
#embed "files/style.css"
};

static const unsigned char file_139[] = {
#embed "files/vendor/leaflet/leaflet.css"
};

static const unsigned char file_140[] = {
#embed "files/vendor/leaflet/leaflet.js"
};

static const struct findmybike_web_file files[] = {
    {"app.html", file_0, sizeof file_0},
    {"desk.css", file_1, sizeof file_1},
    {"desk.html", file_2, sizeof file_2},
    {"display.css", file_3, sizeof file_3},
    {"display.html", file_4, sizeof file_4},
    {"icon-180.png", file_5, sizeof file_5},
    {"icon-192.png", file_6, sizeof file_6},
    {"icon-512.png", file_7, sizeof file_7},
    {"icon.svg", file_8, sizeof file_8},
    {"js/ages.js", file_9, sizeof file_9},
    {"js/api.js", file_10, sizeof file_10},
    {"js/app.js", file_11, sizeof file_11},
    {"js/colours.js", file_12, sizeof file_12},
    {"js/confirm.js", file_13, sizeof file_13},
    {"js/desk/actions.js", file_14, sizeof file_14},
    {"js/desk/app.js", file_15, sizeof file_15},
    {"js/desk/coverage.js", file_16, sizeof file_16},
    {"js/desk/frame.js", file_17, sizeof file_17},
    {"js/desk/numbers.js", file_18, sizeof file_18},
    {"js/desk/pages/access.js", file_19, sizeof file_19},
    {"js/desk/pages/audit.js", file_20, sizeof file_20},
    {"js/desk/pages/invitations.js", file_21, sizeof file_21},
    {"js/desk/pages/messages.js", file_22, sizeof file_22},
    {"js/desk/pages/overview.js", file_23, sizeof file_23},
    {"js/desk/pages/owner.js", file_24, sizeof file_24},
    {"js/desk/pages/reviews.js", file_25, sizeof file_25},
    {"js/desk/pages/sign-in.js", file_26, sizeof file_26},
    {"js/desk/pages/station.js", file_27, sizeof file_27},
    {"js/desk/pages/stations.js", file_28, sizeof file_28},
    {"js/desk/parts.js", file_29, sizeof file_29},
    {"js/desk/place.js", file_30, sizeof file_30},
    {"js/desk/session.js", file_31, sizeof file_31},
    {"js/desk/station-list.js", file_32, sizeof file_32},
    {"js/desk/station-map.js", file_33, sizeof file_33},
    {"js/desk/stations.js", file_34, sizeof file_34},
    {"js/desk/text.js", file_35, sizeof file_35},
    {"js/desk/watch.js", file_36, sizeof file_36},
    {"js/display.js", file_37, sizeof file_37},
    {"js/display/feed.js", file_38, sizeof file_38},
    {"js/display/pairing.js", file_39, sizeof file_39},
    {"js/display/screen.js", file_40, sizeof file_40},
    {"js/display/texts.js", file_41, sizeof file_41},
    {"js/display/view.js", file_42, sizeof file_42},
    {"js/dom.js", file_43, sizeof file_43},
    {"js/early.js", file_44, sizeof file_44},
    {"js/format.js", file_45, sizeof file_45},
    {"js/invitation.js", file_46, sizeof file_46},
    {"js/language.js", file_47, sizeof file_47},
    {"js/makes.js", file_48, sizeof file_48},
    {"js/pages/about.js", file_49, sizeof file_49},
    {"js/pages/account.js", file_50, sizeof file_50},
    {"js/pages/beacon-test.js", file_51, sizeof file_51},
    {"js/pages/bike-form.js", file_52, sizeof file_52},
    {"js/pages/bike.js", file_53, sizeof file_53},
    {"js/pages/bikes.js", file_54, sizeof file_54},
    {"js/pages/channels.js", file_55, sizeof file_55},
    {"js/pages/devices.js", file_56, sizeof file_56},
    {"js/pages/earlier.js", file_57, sizeof file_57},
    {"js/pages/gone.js", file_58, sizeof file_58},
    {"js/pages/join.js", file_59, sizeof file_59},
    {"js/pages/letter.js", file_60, sizeof file_60},
    {"js/pages/members.js", file_61, sizeof file_61},
    {"js/pages/messages.js", file_62, sizeof file_62},
    {"js/pages/next-steps.js", file_63, sizeof file_63},
    {"js/pages/parking.js", file_64, sizeof file_64},
    {"js/pages/pending.js", file_65, sizeof file_65},
    {"js/pages/photos.js", file_66, sizeof file_66},
    {"js/pages/poster.js", file_67, sizeof file_67},
    {"js/pages/ready.js", file_68, sizeof file_68},
    {"js/pages/recovered.js", file_69, sizeof file_69},
    {"js/pages/rotation.js", file_70, sizeof file_70},
    {"js/pages/search.js", file_71, sizeof file_71},
    {"js/pages/setup.js", file_72, sizeof file_72},
    {"js/pages/share.js", file_73, sizeof file_73},
    {"js/pages/shares.js", file_74, sizeof file_74},
    {"js/pages/sign-in.js", file_75, sizeof file_75},
    {"js/pages/sign-up.js", file_76, sizeof file_76},
    {"js/pages/turn-on.js", file_77, sizeof file_77},
    {"js/pages/upkeep.js", file_78, sizeof file_78},
    {"js/pages/welcome.js", file_79, sizeof file_79},
    {"js/parts.js", file_80, sizeof file_80},
    {"js/passkeys.js", file_81, sizeof file_81},
    {"js/police.js", file_82, sizeof file_82},
    {"js/problems.js", file_83, sizeof file_83},
    {"js/push.js", file_84, sizeof file_84},
    {"js/saved.js", file_85, sizeof file_85},
    {"js/session.js", file_86, sizeof file_86},
    {"js/text.js", file_87, sizeof file_87},
    {"js/text/about.js", file_88, sizeof file_88},
    {"js/text/de-about.js", file_89, sizeof file_89},
    {"js/text/de-bike.js", file_90, sizeof file_90},
    {"js/text/de-desk.js", file_91, sizeof file_91},
    {"js/text/de-details.js", file_92, sizeof file_92},
    {"js/text/de-display.js", file_93, sizeof file_93},
    {"js/text/de-letter.js", file_94, sizeof file_94},
    {"js/text/de-members.js", file_95, sizeof file_95},
    {"js/text/de-messages.js", file_96, sizeof file_96},
    {"js/text/de-parking.js", file_97, sizeof file_97},
    {"js/text/de-poster.js", file_98, sizeof file_98},
    {"js/text/de-problems.js", file_99, sizeof file_99},
    {"js/text/de-recovered.js", file_100, sizeof file_100},
    {"js/text/de-setup.js", file_101, sizeof file_101},
    {"js/text/de-share.js", file_102, sizeof file_102},
    {"js/text/de-upkeep.js", file_103, sizeof file_103},
    {"js/text/de.js", file_104, sizeof file_104},
    {"js/text/en-about.js", file_105, sizeof file_105},
    {"js/text/en-bike.js", file_106, sizeof file_106},
    {"js/text/en-desk.js", file_107, sizeof file_107},
    {"js/text/en-details.js", file_108, sizeof file_108},
    {"js/text/en-display.js", file_109, sizeof file_109},
    {"js/text/en-letter.js", file_110, sizeof file_110},
    {"js/text/en-members.js", file_111, sizeof file_111},
    {"js/text/en-messages.js", file_112, sizeof file_112},
    {"js/text/en-parking.js", file_113, sizeof file_113},
    {"js/text/en-poster.js", file_114, sizeof file_114},
    {"js/text/en-problems.js", file_115, sizeof file_115},
    {"js/text/en-recovered.js", file_116, sizeof file_116},
    {"js/text/en-setup.js", file_117, sizeof file_117},
    {"js/text/en-share.js", file_118, sizeof file_118},
    {"js/text/en-upkeep.js", file_119, sizeof file_119},
    {"js/text/en.js", file_120, sizeof file_120},
    {"js/text/messages.js", file_121, sizeof file_121},
    {"js/text/parking.js", file_122, sizeof file_122},
    {"js/text/poster.js", file_123, sizeof file_123},
    {"js/text/recovered.js", file_124, sizeof file_124},
    {"js/text/setup.js", file_125, sizeof file_125},
    {"js/text/upkeep.js", file_126, sizeof file_126},
    {"js/trail/base.js", file_127, sizeof file_127},
    {"js/trail/list.js", file_128, sizeof file_128},
    {"js/trail/live-mark.js", file_129, sizeof file_129},
    {"js/trail/live.js", file_130, sizeof file_130},
    {"js/trail/map.js", file_131, sizeof file_131},
    {"js/trail/stays.js", file_132, sizeof file_132},
    {"js/trail/tiles.js", file_133, sizeof file_133},
    {"js/trusted.js", file_134, sizeof file_134},
    {"js/unsaved.js", file_135, sizeof file_135},
    {"manifest.webmanifest", file_136, sizeof file_136},
    {"service-worker.js", file_137, sizeof file_137},
    {"style.css", file_138, sizeof file_138},
    {"vendor/leaflet/leaflet.css", file_139, sizeof file_139},
    {"vendor/leaflet/leaflet.js", file_140, sizeof file_140},
};

const size_t findmybike_web_file_count = 141;

const struct findmybike_web_file *findmybike_web_file_at(size_t index) { return &files[index]; }
