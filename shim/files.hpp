// hydra-shim: small files, of the kernel and of the attempt, and what programs are started with.
#pragma once

#include <string>
#include <vector>

namespace shim {

/// Appends what can be read of a file; whether that is all of it.
bool read_whole(const std::string& path, std::string& text);
/// What can be read of it; empty where that is nothing.
std::string text_of(const std::string& path);
/// Into a file that is there, as one piece. False with errno.
bool write_once(const std::string& path, const std::string& text);
/// As exec(3) wants them, with a null at the end; the words stay the caller's.
std::vector<char*> pointers(const std::vector<std::string>& words);

}  // namespace shim
