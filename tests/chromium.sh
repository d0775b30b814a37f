#!/bin/sh
# Prints the path of the Chromium for the tests, and installs it first when it is missing.
#
# The headless shell is the same engine without a desktop browser's windows, and takes a third less of the processor.
# Without Debian's package any Chromium does.
need=$(dirname "$0")/need.sh
"$need" chromium-headless-shell chromium-headless-shell ||
    exec "$need" chromium chromium chromium-browser google-chrome google-chrome-stable
