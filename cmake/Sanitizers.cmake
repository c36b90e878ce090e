# -DHYDRA_SANITIZE=address,undefined | thread, and -DHYDRA_COVERAGE=ON.
if(HYDRA_SANITIZE)
  add_compile_options(-fsanitize=${HYDRA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HYDRA_SANITIZE})
endif()
if(HYDRA_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
