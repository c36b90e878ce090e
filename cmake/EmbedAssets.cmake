# cmake -DDIR=… -DWEB=… -DESBUILD=… -DGZIP=… -P EmbedAssets.cmake: from the sources in WEB to DIR/assets.S and
# DIR/include/scoreboard_assets.hpp: the bundles, index.html with their hashed names, each file compressed, and the page
# of `hydra report` (DIR/report.html).
cmake_minimum_required(VERSION 3.23)

file(REMOVE_RECURSE ${DIR}/out)  # else a stale main-OLD.js is embedded too
# Members of React's own records, which neither the DOM nor an answer of the daemon has: they get short names.
set(members "(memoized(State|Props)|pending(Props|Lanes|Context)|(child|suspended|pinged|entangled|expired|warm|base|retry\
|errorRecoveryDisabled|pooledCache)?[lL]anes?|base(State|Queue)|lastRendered(State|Reducer)|(hasE|e)agerState|formState\
|(first|last)BaseUpdate|hiddenUpdates|updateQueue|retryQueue|subtreeFlags|stateNode|sibling|alternate|containerInfo\
|elementType|dehydrated|firstContext|cachePool|deletions|entanglements|expirationTimes|hydrationErrors\
|treeContext|callback(Node|Priority)|cancelPendingCommit|timeoutHandle|renderingStartTime|tailMode|isBackwards\
|_(fragmentFiber|visibility|pendingVisibility|retryCache|transitions)|use[A-Z][A-Za-z]+)")
# The aliases leave out what nothing uses of react and react-dom, and every other copy of them; so do the definitions with
# what they ask of other places than browsers.
execute_process(COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${WEB}/vendor/node_modules ${ESBUILD} ${WEB}/src/main.tsx
  ${WEB}/src/report.tsx --bundle --minify --jsx=automatic --target=es2022 --format=esm --mangle-props=^${members}$
  "--define:process.env.NODE_ENV=\"production\"" --define:__REACT_DEVTOOLS_GLOBAL_HOOK__=undefined --define:process=undefined
  --define:setImmediate=undefined --define:navigation=undefined
  --alias:react=./src/react --alias:react-dom=./src/dom --entry-names=[name]-[hash] --outdir=${DIR}/out
  --legal-comments=none --log-level=warning WORKING_DIRECTORY ${WEB} COMMAND_ERROR_IS_FATAL ANY)

set(js_budget 110000)   # bytes after gzip
set(css_budget 12000)

function(one_file out pattern)
  file(GLOB found ${DIR}/out/${pattern})
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "expected one ${pattern} in ${DIR}/out, there are ${count}")
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# CMake has no base64: six bits at a time out of hexadecimal digits.
function(base64_of_hex out hex)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(LENGTH ${hex} length)
  set(text "")
  foreach(at RANGE 0 ${length} 3)  # three digits are twelve bits, two letters
    math(EXPR left "${length} - ${at}")
    if(left LESS_EQUAL 0)
      break()
    endif()
    string(SUBSTRING "${hex}000" ${at} 3 group)
    math(EXPR high "0x${group} >> 6")
    math(EXPR low "0x${group} & 63")
    string(SUBSTRING ${digits} ${high} 1 a)
    string(SUBSTRING ${digits} ${low} 1 b)
    string(APPEND text ${a}${b})
  endforeach()
  math(EXPR letters "(${length} * 4 + 5) / 6")
  string(SUBSTRING "${text}" 0 ${letters} text)
  math(EXPR rest "${letters} % 4")
  if(rest EQUAL 2)
    string(APPEND text "==")
  elseif(rest EQUAL 3)
    string(APPEND text "=")
  endif()
  set(${out} ${text} PARENT_SCOPE)
endfunction()

set(icon "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%231a7f37' d='M2 9h3v5H2zM6.5 2h3v12h-3zM11 6h3v8h-3z'/%3E%3C/svg%3E")
set(head "<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>Hydra</title>
<link rel=\"icon\" href=\"${icon}\">")

one_file(js main-*.js)
one_file(css main-*.css)
get_filename_component(js_name ${js} NAME)
get_filename_component(css_name ${css} NAME)
file(WRITE ${DIR}/out/index.html "<!doctype html>
<html lang=\"en\">
<head>
${head}
<link rel=\"stylesheet\" href=\"/${css_name}\">
<script type=\"module\" src=\"/${js_name}\"></script>
</head>
<body><div id=\"root\"></div><noscript>The scoreboard needs JavaScript.</noscript></body>
</html>
")

# The report: one file that may load nothing; what it holds is named by hash. Its digests are of exactly what stands
# between the tags.
one_file(report_js report-*.js)
one_file(report_css report-*.css)
file(READ ${report_js} script)
string(REPLACE "</script" "<\\/script" script "${script}")
string(REPLACE "<!--" "<\\!--" script "${script}")
string(STRIP "${script}" script)
file(READ ${report_css} style)
string(STRIP "${style}" style)
string(SHA256 script_hex "${script}")
string(SHA256 style_hex "${style}")
base64_of_hex(script_hash ${script_hex})
base64_of_hex(style_hash ${style_hex})
file(WRITE ${DIR}/report.html "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-${script_hash}'; style-src 'sha256-${style_hash}'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<meta name=\"referrer\" content=\"no-referrer\">
<title>Hydra report</title>
<link rel=\"icon\" href=\"${icon}\">
<style>${style}</style>
</head>
<body><div id=\"root\"></div><noscript>The report needs JavaScript.</noscript>
<script type=\"text/plain\" id=\"hydra-data\">@HYDRA_DATA@</script>
<script type=\"module\">${script}</script></body>
</html>
")
file(SIZE ${DIR}/report.html report_size)

file(REMOVE_RECURSE ${DIR}/gz)
file(MAKE_DIRECTORY ${DIR}/gz)
set(HYDRA_UI_SYMBOLS "extern const char hydra_ui_report[];\n")
set(HYDRA_UI_ROWS "")
set(HYDRA_UI_COUNT 0)
set(asm "  .section .rodata\n  .global hydra_ui_report\nhydra_ui_report:\n  .incbin \"${DIR}/report.html\"\n")
foreach(file IN ITEMS ${DIR}/out/index.html ${js} ${css})
  get_filename_component(name ${file} NAME)
  get_filename_component(ending ${file} LAST_EXT)
  execute_process(COMMAND ${GZIP} -9nc ${file} OUTPUT_FILE ${DIR}/gz/${name}.gz COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 ${file} sha)
  string(SUBSTRING ${sha} 0 32 tag)
  file(SIZE ${DIR}/gz/${name}.gz size)
  file(SIZE ${file} plain)
  set(keep true)
  if(ending STREQUAL ".js")
    set(type "text/javascript; charset=utf-8")
    set(budget ${js_budget})
  elseif(ending STREQUAL ".css")
    set(type "text/css; charset=utf-8")
    set(budget ${css_budget})
  else()
    set(type "text/html; charset=utf-8")
    set(budget 4000)
    set(keep false)
  endif()
  if(size GREATER budget)
    message(FATAL_ERROR "${name} has ${size} bytes after gzip; its budget is ${budget}")
  endif()
  set(i ${HYDRA_UI_COUNT})
  string(APPEND HYDRA_UI_SYMBOLS "extern const char hydra_ui_${i}[], hydra_ui_plain_${i}[];\n")
  string(APPEND asm "  .global hydra_ui_${i}, hydra_ui_plain_${i}\nhydra_ui_${i}:\n  .incbin \"${DIR}/gz/${name}.gz\"\n"
                    "hydra_ui_plain_${i}:\n  .incbin \"${file}\"\n")
  string(APPEND HYDRA_UI_ROWS "    {\"/${name}\", {hydra_ui_${i}, ${size}}, {hydra_ui_plain_${i}, ${plain}}, \"${type}\", \"${tag}\", ${keep}},\n")
  math(EXPR HYDRA_UI_COUNT "${i} + 1")
endforeach()
set(HYDRA_UI_REPORT "{hydra_ui_report, ${report_size}}")
# Without the note the linker makes the stack executable.
file(WRITE ${DIR}/assets.S "${asm}  .section .note.GNU-stack,\"\",@progbits\n")
configure_file(${WEB}/scoreboard_assets.hpp.in ${DIR}/include/scoreboard_assets.hpp @ONLY)
file(TOUCH ${DIR}/include/scoreboard_assets.hpp)  # else what has not changed is made again at each build
