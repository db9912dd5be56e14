#!/usr/bin/python3
"""A window with one WebKit view, which WebKitWebDriver starts in place of a browser. WebDriver itself cannot tell what a page
logs, so a script that runs before those of each page writes errors and broken policies to a file.

Environment: WEBKIT_FAULTS is this file, WEBKIT_LANGUAGE what the view asks for, WEBKIT_SIZE its width and height.
"""

import os
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

WATCH = """{
const say = (...words) => webkit.messageHandlers.fault.postMessage(`${location.pathname}: ${words.join(" ")}`);
addEventListener("error", ({message, filename, lineno}) => message && say("error:", message, filename, lineno), true);
addEventListener("unhandledrejection", ({reason}) => say("rejected:", reason, reason?.stack));
document.addEventListener("securitypolicyviolation", ({effectiveDirective, blockedURI, sample}) =>
    say("policy:", effectiveDirective, blockedURI, sample));
for (const level of ["error", "warn"]) console[level] = (...words) => say(`console.${level}:`, ...words);
}"""


def main():
    width, height = (int(number) for number in os.environ["WEBKIT_SIZE"].split("x"))
    context = WebKit2.WebContext.new_ephemeral()
    context.set_automation_allowed(True)
    context.set_preferred_languages([os.environ["WEBKIT_LANGUAGE"]])
    # Caddy signs its certificate itself.
    context.get_website_data_manager().set_tls_errors_policy(WebKit2.TLSErrorsPolicy.IGNORE)
    content = WebKit2.UserContentManager()
    content.register_script_message_handler("fault")
    content.connect("script-message-received::fault", lambda _, result: note(result.get_js_value().to_string()))
    content.add_script(WebKit2.UserScript.new(WATCH, WebKit2.UserContentInjectedFrames.TOP_FRAME,
                                              WebKit2.UserScriptInjectionTime.START, None, None))
    view = WebKit2.WebView(web_context=context, user_content_manager=content, is_controlled_by_automation=True)
    view.connect("web-process-terminated", lambda _, reason: note(f"the web process ended: {reason.value_nick}"))
    window = Gtk.Window(default_width=width, default_height=height)
    window.add(view)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()

    def begin(_, session):
        info = WebKit2.ApplicationInfo()
        info.set_name("FindMyBike")
        session.set_application_info(info)
        session.connect("create-web-view", lambda _: view)

    context.connect("automation-started", begin)
    Gtk.main()


def note(text):
    with open(os.environ["WEBKIT_FAULTS"], "a", encoding="utf-8") as file:
        file.write(text + "\n")


sys.exit(main())
