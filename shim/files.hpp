// hydra-shim: small files of the kernel and of the attempt, and argument arrays.
#pragma once

#include <string>
#include <vector>

namespace shim {

/// Appends the readable part of a file; returns whether that is the whole file.
bool read_whole(const std::string& path, std::string& text);
/// Returns the readable part of a file; may be empty.
std::string text_of(const std::string& path);
/// Writes to an existing file in one write(2). False with errno.
bool write_once(const std::string& path, const std::string& text);
/// Pointers as exec(3) needs them, with a null at the end; the words stay the caller's.
std::vector<char*> pointers(const std::vector<std::string>& words);

}  // namespace shim
