import {language} from "../text.js";

import {deMessages} from "./de-messages.js";
import {enMessages} from "./en-messages.js";

/** The texts about finders, which only the bike's page loads. */
export function messageTexts() { return language === "de" ? deMessages : enMessages; }
