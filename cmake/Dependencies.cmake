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
