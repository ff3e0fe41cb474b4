#!/bin/sh
# Generated from the table of search commands (npm run generate).
case $0 in */*) . "${0%/*}/command.sh" ;; *) . ./command.sh ;; esac
