#!/bin/sh
# The search command mlhealth, started as the other one is.
case $0 in */*) . "${0%/*}/agentstatus.sh" ;; *) . ./agentstatus.sh ;; esac
