# The warnings of every target of ours. They are errors.
add_library(hydra_warnings INTERFACE)
target_compile_options(hydra_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wnon-virtual-dtor -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Not the plain -Wshadow: in a unity build the constants of one source are seen by the next, and no source is
  # the main file, which the other warning looks for.
  target_compile_options(hydra_warnings INTERFACE -Wshadow=local -Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
  # False positives of g++ 12 to 14 with std::optional, std::string, std::variant and coroutines at -O2.
  target_compile_options(hydra_warnings INTERFACE
    -Wno-restrict -Wno-maybe-uninitialized -Wno-dangling-pointer -Wno-stringop-overflow -Wno-array-bounds)
  # g++ 13 and 14 take a reference to an element for one to the key that finds the element.
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(hydra_warnings INTERFACE -Wno-dangling-reference)
  endif()
endif()
