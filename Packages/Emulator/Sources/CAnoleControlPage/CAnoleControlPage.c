// SPDX-License-Identifier: Apache-2.0

// The files of the control page, embedded by the compiler: no bundle has to lie beside the program, nothing is
// generated, and a changed file is compiled again. (`#embed` is C23; the compiler knows it in every mode. It is
// here and not in Swift, because there such arrays take many seconds to compile.)

#include "CAnoleControlPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define SVG "image/svg+xml"
#define JAVASCRIPT "text/javascript; charset=utf-8"

static const unsigned char index_html[] = {
#embed "Files/index.html"
};
static const unsigned char style_css[] = {
#embed "Files/style.css"
};
static const unsigned char icon_svg[] = {
#embed "Files/icon.svg"
};
static const unsigned char main_js[] = {
#embed "Files/main.js"
};
static const unsigned char api_js[] = {
#embed "Files/api.js"
};
static const unsigned char dom_js[] = {
#embed "Files/dom.js"
};
static const unsigned char events_js[] = {
#embed "Files/events.js"
};
static const unsigned char explanation_js[] = {
#embed "Files/explanation.js"
};
static const unsigned char feed_js[] = {
#embed "Files/feed.js"
};
static const unsigned char flags_js[] = {
#embed "Files/flags.js"
};
static const unsigned char remote_js[] = {
#embed "Files/remote.js"
};
static const unsigned char shares_js[] = {
#embed "Files/shares.js"
};
static const unsigned char traffic_js[] = {
#embed "Files/traffic.js"
};
static const unsigned char visitor_js[] = {
#embed "Files/visitor.js"
};

#define FILE_OF(name, type, bytes) {name, type, bytes, sizeof bytes}

static const anole_page_file_t files[] = {
    FILE_OF("index.html", HTML, index_html),
    FILE_OF("style.css", CSS, style_css),
    FILE_OF("icon.svg", SVG, icon_svg),
    FILE_OF("main.js", JAVASCRIPT, main_js),
    FILE_OF("api.js", JAVASCRIPT, api_js),
    FILE_OF("dom.js", JAVASCRIPT, dom_js),
    FILE_OF("events.js", JAVASCRIPT, events_js),
    FILE_OF("explanation.js", JAVASCRIPT, explanation_js),
    FILE_OF("feed.js", JAVASCRIPT, feed_js),
    FILE_OF("flags.js", JAVASCRIPT, flags_js),
    FILE_OF("remote.js", JAVASCRIPT, remote_js),
    FILE_OF("shares.js", JAVASCRIPT, shares_js),
    FILE_OF("traffic.js", JAVASCRIPT, traffic_js),
    FILE_OF("visitor.js", JAVASCRIPT, visitor_js),
};

size_t anole_page_file_count(void) { return sizeof files / sizeof files[0]; }

anole_page_file_t anole_page_file(size_t position) { return files[position]; }
