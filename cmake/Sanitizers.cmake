# -DHYDRA_SANITIZE=address,undefined | thread, and -DHYDRA_COVERAGE=ON.
if(HYDRA_SANITIZE)
  add_compile_options(-fsanitize=${HYDRA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HYDRA_SANITIZE})
  add_compile_definitions(HYDRA_SANITIZED) # for tests that bound memory
  if(HYDRA_SANITIZE MATCHES undefined)
    # The address sanitizer sees what these would, and they are a third of what compiling the rest costs.
    add_compile_options(-fno-sanitize=null,alignment,vptr,object-size)
  endif()
  if(HYDRA_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Asio's fences are not modelled; its hand-overs between threads go through mutexes, which are.
    add_compile_options(-Wno-tsan)
  endif()
endif()
if(HYDRA_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
