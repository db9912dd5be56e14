import {language} from "../text.js";

import {deMembers} from "./de-members.js";
import {enMembers} from "./en-members.js";

/** The texts about sharing a bike, which only the pages that need them load. */
export function memberTexts() { return language === "de" ? deMembers : enMembers; }
