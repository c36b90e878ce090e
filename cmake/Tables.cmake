# hydra_table_source(OUT SYMBOL FILES...): a C++ source that defines SYMBOL, a hydra::tables::Embedded, as the values of the
# files in TOML. A mistake of syntax fails the build.
function(hydra_table_source out symbol)
  add_custom_command(OUTPUT ${out} COMMAND hydra_make_tables ${out} ${symbol} ${ARGN}
    DEPENDS hydra_make_tables ${ARGN} COMMENT "Tables of ${symbol}" VERBATIM)
  # Its names are its own: two of them in one unity batch would clash.
  set_source_files_properties(${out} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
