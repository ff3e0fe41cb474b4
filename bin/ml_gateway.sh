#!/bin/sh
# Generated from the table of drivers (npm run generate).
case $0 in */*) . "${0%/*}/driver.sh" ;; *) . ./driver.sh ;; esac
