// A file system of its own for one test.
#pragma once

#include "support/machine.hpp"
#include "support/world.hpp"

#include <fstream>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

namespace hydra::e2e {

class Disk {
 public:
  Disk() : dir_(make()) { fs::create_directories(path()); }
  ~Disk() {
    if (fuse_) {
      // Waits until the file system's own program has written everything, which a lazy one does not.
      Process({"/bin/umount", path()}, "/", environment()).wait();
    } else if (mounted_) {
      ::umount2(path().c_str(), MNT_DETACH);
    }
    if (!loop_.empty()) Process({"/sbin/losetup", "-d", loop_}, "/", environment()).wait();
    std::error_code ec;
    fs::remove_all(dir_, ec);
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  void tmpfs(const std::string& size) {
    mounted_ = ::mount("none", path().c_str(), "tmpfs", 0, ("size=" + size + ",mode=0755").c_str()) == 0;
    if (!mounted_) lack = machine::lack({machine::Ability::mounts});
  }

  /// Names of any letter case, and neither links nor rights.
  void exfat() {
    if (!has_programs({"/usr/sbin/mkfs.exfat", "/usr/sbin/mount.exfat-fuse"})) return;
    fuse({"/usr/sbin/mkfs.exfat"}, {"/usr/sbin/mount.exfat-fuse"});
  }
  /// Names of any letter case, listed in lower case; with links and rights.
  void ntfs() {
    if (!has_programs({"/usr/sbin/mkfs.ntfs", "/usr/bin/lowntfs-3g"})) return;
    fuse({"/usr/sbin/mkfs.ntfs", "-q", "-F"},
         {"/usr/bin/lowntfs-3g", "-o", "ignore_case,permissions,inherit"});
  }

  [[nodiscard]] fs::path path() const { return dir_ / "disk"; }
  machine::Lack lack;  ///< nothing where the file system could be mounted

 private:
  static fs::path make() {
    char pattern[] = "/tmp/hydra-disk-XXXXXX";
    return ::mkdtemp(pattern);
  }
  static Environment environment() { return {{"PATH", "/usr/sbin:/sbin:/usr/bin:/bin"}}; }
  bool has_programs(const std::vector<std::string>& programs) {
    lack = machine::lack({machine::Ability::mounts});
    for (const auto& program : programs)
      if (!fs::exists(program)) lack.text = "no " + fs::path(program).filename().string();
    if (!fs::exists("/dev/fuse")) lack.text = "no /dev/fuse";
    return lack.text.empty();
  }
  void fuse(Words make, Words mount) {
    const auto image = dir_ / "image";
    std::ofstream(image).close();
    fs::resize_file(image, 64u << 20);
    const auto loop = Process({"/sbin/losetup", "-f", "--show", image}, "/", environment()).wait();
    if (loop.exit != 0) {
      lack.text = "no loop device";
      return;
    }
    loop_ = loop.out.substr(0, loop.out.find('\n'));
    make.push_back(loop_);
    mount.insert(mount.end(), {loop_, path().string()});
    fuse_ = Process(make, "/", environment()).wait().exit == 0 &&
            Process(mount, "/", environment()).wait().exit == 0;
    if (!fuse_) lack.text = "no file systems of programs";
  }

  fs::path dir_;
  std::string loop_;
  bool mounted_ = false, fuse_ = false;
};

}  // namespace hydra::e2e
