# ccache, where it is installed, in front of both compilers.
find_program(HYDRA_CCACHE ccache)
if(HYDRA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HYDRA_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${HYDRA_CCACHE})
endif()
