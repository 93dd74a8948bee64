# Writes FILE, the commit of the checkout SOURCE as a string literal, unless FILE has it already.
cmake_policy(VERSION 3.25)
set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(
    COMMAND git --no-optional-locks -C ${SOURCE} describe --always --exclude=* --abbrev=12 --dirty=+
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit "not known: built outside of a git checkout")
endif()
file(CONFIGURE OUTPUT ${FILE} CONTENT "\"@commit@\"\n" @ONLY)
