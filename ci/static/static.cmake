# QD_STATIC: all libraries but the system's are linked statically, for wheels that run on other systems (ci/wheels).
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
add_link_options(-static-libstdc++)

add_library(qd_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
target_compile_definitions(qd_fmt INTERFACE FMT_SHARED)  # as fmt's own target, so that ccache knows the objects
add_library(fmt::fmt ALIAS qd_fmt)

if(QD_RUNTIME)  # the reporter is linked with this machine's glibc statically
  # A program's code reaches glibc's data through a table, as a library's does: see copied() in link.py.
  add_compile_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-fPIC>)
  add_library(qd_newer_glibc STATIC ${CMAKE_CURRENT_LIST_DIR}/newer_glibc.cpp)
  target_compile_options(qd_newer_glibc PRIVATE -fvisibility=hidden -Wno-deprecated-declarations)
  link_libraries(qd_newer_glibc)
endif()
