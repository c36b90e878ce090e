# hydra_room(NAME [DIR dir] [SUBDIRS x y] [SOURCES more] LINKS a b c)
#
# One static library a room. A room's headers are visible to those rooms only that link it, because each room has
# an include directory of its own that holds nothing but a link to it: `#include "git/repository.hpp"` fails to build
# in a room that does not name hydra_git in LINKS. Links are PRIVATE, so nothing comes along through another room.
# Rooms that wait for programs and disks far longer than they compute, and whose templates are most of the compiling.
add_library(hydra_waits INTERFACE)
target_compile_options(hydra_waits INTERFACE $<$<CONFIG:Release>:-O1>)

function(hydra_room name)
  cmake_parse_arguments(ARG "" "DIR" "LINKS;SOURCES;SUBDIRS" ${ARGN})
  if(NOT ARG_DIR)
    set(ARG_DIR ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  endif()
  set(patterns ${ARG_DIR}/*.cpp)
  foreach(part ${ARG_SUBDIRS})
    list(APPEND patterns ${ARG_DIR}/${part}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  list(APPEND sources ${ARG_SOURCES})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/rooms/${name})
  file(CREATE_LINK ${ARG_DIR} ${CMAKE_BINARY_DIR}/rooms/${name}/${name} SYMBOLIC)
  if(NOT sources)
    add_library(hydra_${name} INTERFACE)
    target_include_directories(hydra_${name} INTERFACE ${CMAKE_BINARY_DIR}/rooms/${name})
    return()
  endif()
  add_library(hydra_${name} STATIC ${sources})
  target_include_directories(hydra_${name} PUBLIC ${CMAKE_BINARY_DIR}/rooms/${name})
  target_link_libraries(hydra_${name} PRIVATE hydra_warnings ${ARG_LINKS})
endfunction()
