# Packages: `cpack` in a build directory makes a .deb; ./dev package makes and tries both forms.

# Who publishes these packages: -DHYDRA_MAINTAINER=… -DHYDRA_HOMEPAGE=… (CONTRIBUTING.md). Nothing else names them.
set(HYDRA_MAINTAINER "Hydra maintainers <hydra@example.invalid>" CACHE STRING "Name and address of the packages' maintainer")
set(HYDRA_HOMEPAGE "" CACHE STRING "Address of the project's page, for packages; empty: none")

# A tarball that runs anywhere has the libraries beside the programs, those that these need among them.
option(HYDRA_BUNDLE "Look for shared libraries in ../lib/hydra of the installed programs" OFF)
if(HYDRA_BUNDLE)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib/hydra")
  add_link_options(-Wl,--disable-new-dtags)
endif()
# Debian's own packages put zsh's functions elsewhere than a local installation.
option(HYDRA_DEBIAN "Install where a package of Debian does" OFF)
set(HYDRA_ZSH_DIRECTORY site-functions)
if(HYDRA_DEBIAN)
  set(HYDRA_ZSH_DIRECTORY vendor-completions)
  add_link_options(-Wl,-z,relro,-z,now)
  set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/hydra-race)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON) # the unit names the place where the program will be
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME hydra-race) # Debian's `hydra` is another program
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${HYDRA_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${HYDRA_HOMEPAGE}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "race coding agents on one task and keep the best result")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Hydra gives one task to several coding agents, each in a git worktree of its
own, builds, tests and lints what they made, ranks the results by evidence,
and merges the one that you choose.
.
It contains the command line program, the daemon that it starts on demand, and
the supervisor of agents and checks.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "git (>= 1:2.30)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gh, git-lfs")
set(CPACK_DEBIAN_PACKAGE_CONFLICTS "hydra") # it has /usr/bin/hydra, too
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# What Debian wants to know of a package: a changelog in its own form, and who may copy what.
if(HYDRA_DEBIAN)
  set(debian ${CMAKE_BINARY_DIR}/debian)
  string(TIMESTAMP HYDRA_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH decides where it is set
  configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/changelog.in ${debian}/changelog @ONLY)
  execute_process(COMMAND gzip -9nf ${debian}/changelog)
  install(FILES ${debian}/changelog.gz ${PROJECT_SOURCE_DIR}/cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
    RENAME hydra-race)
else()
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
