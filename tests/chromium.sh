#!/bin/sh
# Prints the path of the Chromium for the tests; installs it first if it is missing.
#
# The headless shell is the same engine without a desktop browser's windows and needs a third less CPU time. Without
# Debian's package for it, any Chromium is used.
need=$(dirname "$0")/need.sh
"$need" chromium-headless-shell chromium-headless-shell ||
    exec "$need" chromium chromium chromium-browser google-chrome google-chrome-stable
