# Every library that Hydra builds on. Names are Debian 12's; Debian 13's versions work too.
find_package(Threads REQUIRED)
if(POLICY CMP0167) # CMake 3.30 and later take Boost's own file
  cmake_policy(SET CMP0167 NEW)
endif()
find_package(Boost 1.81 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(GIT2 REQUIRED IMPORTED_TARGET libgit2)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(NCURSES REQUIRED IMPORTED_TARGET ncursesw)

# Asio and Beast are used header-only: no Boost library is linked.
add_library(hydra_asio INTERFACE)
target_link_libraries(hydra_asio INTERFACE Boost::headers Threads::Threads)
target_compile_definitions(hydra_asio INTERFACE
  BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE)

# hydra is linked statically where re2 and ncurses have a static form that needs nothing else: a program without a
# loader starts in half of the time (ADR 35).
include(CheckCXXSourceCompiles)
find_library(HYDRA_RE2_A libre2.a)
find_library(HYDRA_NCURSES_A libncursesw.a)
find_library(HYDRA_TINFO_A libtinfo.a)
add_library(hydra_re2 INTERFACE)
add_library(hydra_ncurses INTERFACE)
set(HYDRA_STATIC_CLIENT OFF)
if(HYDRA_RE2_A AND HYDRA_NCURSES_A AND HYDRA_TINFO_A AND NOT HYDRA_SANITIZE)
  set(CMAKE_REQUIRED_LIBRARIES -static ${HYDRA_RE2_A} ${HYDRA_NCURSES_A} ${HYDRA_TINFO_A} Threads::Threads)
  check_cxx_source_compiles("#include <curses.h>
    #include <re2/re2.h>
    int main() { return initscr() != nullptr && re2::RE2::FullMatch(\"\", \"\"); }" HYDRA_STATIC_LINKS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(HYDRA_STATIC_CLIENT ${HYDRA_STATIC_LINKS})
endif()
if(HYDRA_STATIC_CLIENT)
  target_link_libraries(hydra_re2 INTERFACE ${HYDRA_RE2_A} Threads::Threads)
  target_link_libraries(hydra_ncurses INTERFACE ${HYDRA_NCURSES_A} ${HYDRA_TINFO_A})
else()
  target_link_libraries(hydra_re2 INTERFACE PkgConfig::RE2)
  target_link_libraries(hydra_ncurses INTERFACE PkgConfig::NCURSES)
endif()

# fmt, spdlog and toml++ out of their headers, compiled once (lib/thirdparty): a program that is linked statically can't
# take the shared libraries that Debian ships alone, and starts in half of the time (ADR 35).
foreach(library fmt tomlplusplus)
  add_library(hydra_${library} STATIC ${PROJECT_SOURCE_DIR}/lib/thirdparty/${library}.cpp)
  set_target_properties(hydra_${library} PROPERTIES UNITY_BUILD OFF)
  target_include_directories(hydra_${library} SYSTEM PUBLIC
    $<TARGET_PROPERTY:${library}::${library},INTERFACE_INCLUDE_DIRECTORIES>)
endforeach()
# An assertion of toml++ 3.3 fails on malformed text that it refuses otherwise; Debian's library has none either.
target_compile_definitions(hydra_tomlplusplus PUBLIC TOML_HEADER_ONLY=0 PRIVATE NDEBUG)
add_library(hydra_spdlog INTERFACE)
target_link_libraries(hydra_spdlog INTERFACE hydra_fmt Threads::Threads)
target_include_directories(hydra_spdlog SYSTEM INTERFACE
  $<TARGET_PROPERTY:spdlog::spdlog,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(hydra_spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
