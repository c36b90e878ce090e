#include "git/store/object_database.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace hydra::git {
namespace {

constexpr int kMostDirectories = 1024;  ///< directory levels: no file system takes a longer path
constexpr std::string_view kNoMode = "000000";
constexpr std::size_t kMostCounted = 32u << 20;  ///< bytes of a side whose lines are counted in the process

/// A tree entry as stored in the tree object.
struct RawTreeEntry {
  std::string_view name;
  std::string_view mode;  ///< canonical
  git_oid id{};
  [[nodiscard]] bool directory() const { return mode == "040000"; }
};

/// Modes as git shows them, whatever an old program wrote.
std::string_view canonical(unsigned mode) {
  switch (mode & 0170000) {
    case 0100000:
      return (mode & 0100) != 0 ? "100755" : "100644";
    case 0120000:
      return "120000";
    case 0040000:
      return "040000";
    default:
      return "160000";
  }
}

/// Entries of a raw tree, "MODE NAME\0ID" each; views into `bytes`. Absent: the tree is damaged.
std::optional<std::vector<RawTreeEntry>> entries_of(std::string_view bytes) {
  std::vector<RawTreeEntry> entries;
  while (!bytes.empty()) {
    unsigned mode = 0;
    std::size_t at = 0;
    for (; at < bytes.size() && at < 7 && bytes[at] >= '0' && bytes[at] <= '7'; ++at)
      mode = mode * 8 + static_cast<unsigned>(bytes[at] - '0');
    if (at == 0 || at >= bytes.size() || bytes[at] != ' ') return std::nullopt;
    const auto end = bytes.find('\0', at);
    if (end == std::string_view::npos || bytes.size() - end - 1 < GIT_OID_RAWSZ) return std::nullopt;
    RawTreeEntry entry{bytes.substr(at + 1, end - at - 1), canonical(mode), {}};
    if (entry.name.empty() || entry.name.find('/') != std::string_view::npos) return std::nullopt;
    git_oid_fromraw(&entry.id, reinterpret_cast<const unsigned char*>(bytes.data() + end + 1));
    entries.push_back(entry);
    bytes.remove_prefix(end + 1 + GIT_OID_RAWSZ);
  }
  return entries;
}

/// git's order: a directory's name sorts as if it ended in a slash.
bool before(const RawTreeEntry& a, const RawTreeEntry& b) {
  const auto common = std::min(a.name.size(), b.name.size());
  if (const int order = a.name.compare(0, common, b.name, 0, common); order != 0) return order < 0;
  const auto next = [&](const RawTreeEntry& entry) {
    return entry.name.size() > common ? static_cast<unsigned char>(entry.name[common])
                                      : static_cast<unsigned char>(entry.directory() ? '/' : 0);
  };
  return next(a) < next(b);
}

/// Holds an object and gives its bytes.
class OdbObject {
 public:
  /// A null id gives no object.
  OdbObject(git_odb* odb, const git_oid* id)
      : object_(id != nullptr ? held<git_odb_object>(git_odb_read, odb, id) : nullptr) {}
  [[nodiscard]] bool is(git_object_t type) const {
    return object_ && git_odb_object_type(object_.get()) == type;
  }
  [[nodiscard]] std::string_view bytes() const {
    return {static_cast<const char*>(git_odb_object_data(object_.get())), git_odb_object_size(object_.get())};
  }

 private:
  Held<git_odb_object> object_;
};

std::optional<git_oid> write_object(git_odb* odb, std::string_view bytes, git_object_t type) {
  git_oid id;
  return git_odb_write(&id, odb, bytes.data(), bytes.size(), type) == 0 ? std::optional(id) : std::nullopt;
}

/// Walks trees; `ok` becomes false when a tree cannot be read.
class TreeWalk {
 public:
  explicit TreeWalk(git_odb* odb) : odb_(odb) {}

  void list(const git_oid& tree, const std::string& prefix, std::vector<TreeFile>& files, int depth = 0) {
    const OdbObject object(odb_, &tree);
    const auto entries = read(object, depth);
    for (std::size_t i = 0; ok && i < entries.size(); ++i) {
      const auto& entry = entries[i];
      const auto path = prefix + std::string(entry.name);
      if (entry.directory())
        list(entry.id, path + '/', files, depth + 1);
      else
        files.push_back({path, std::string(entry.mode), hex_of(entry.id)});
    }
  }

  /// A null tree is an empty tree.
  void compare(const git_oid* from, const git_oid* to, const std::string& prefix, int depth = 0) {
    if (from != nullptr && to != nullptr && git_oid_equal(from, to) != 0) return;
    const OdbObject before_object(odb_, from), after_object(odb_, to);
    const auto olds = from == nullptr ? std::vector<RawTreeEntry>{} : read(before_object, depth);
    const auto news = to == nullptr ? std::vector<RawTreeEntry>{} : read(after_object, depth);
    std::size_t i = 0, j = 0;
    while (ok && (i < olds.size() || j < news.size())) {
      const bool left = j == news.size() || (i < olds.size() && before(olds[i], news[j]));
      const bool right = !left && (i == olds.size() || before(news[j], olds[i]));
      differ(right ? nullptr : &olds[i], left ? nullptr : &news[j], prefix, depth);
      if (!right) ++i;
      if (!left) ++j;
    }
  }

  bool ok = true;
  std::vector<TreeChange> changes;

 private:
  std::vector<RawTreeEntry> read(const OdbObject& object, int depth) {
    auto entries =
        depth < kMostDirectories && object.is(GIT_OBJECT_TREE) ? entries_of(object.bytes()) : std::nullopt;
    ok = ok && entries.has_value();
    return entries ? std::move(*entries) : std::vector<RawTreeEntry>{};
  }

  void differ(const RawTreeEntry* from, const RawTreeEntry* to, const std::string& prefix, int depth) {
    const bool same =
        from != nullptr && to != nullptr && from->mode == to->mode && git_oid_equal(&from->id, &to->id) != 0;
    if (same) return;
    const auto path = prefix + std::string((from != nullptr ? from : to)->name);
    if ((from != nullptr ? from : to)
            ->directory())  // if both exist, both are directories: git's order separates other pairs
      return compare(from != nullptr ? &from->id : nullptr, to != nullptr ? &to->id : nullptr, path + '/',
                     depth + 1);
    TreeChange change;
    change.path = path;
    change.old_mode = from != nullptr ? from->mode : kNoMode;
    change.mode = to != nullptr ? to->mode : kNoMode;
    change.old_id = from != nullptr ? hex_of(from->id) : std::string(GIT_OID_HEXSZ, '0');
    change.id = to != nullptr ? hex_of(to->id) : std::string(GIT_OID_HEXSZ, '0');
    change.status = from == nullptr                                    ? 'A'
                    : to == nullptr                                    ? 'D'
                    : from->mode.substr(0, 2) != to->mode.substr(0, 2) ? 'T'
                                                                       : 'M';
    changes.push_back(std::move(change));
  }

  git_odb* odb_;
};

/// Writes changed trees, from the leaves up; `ok` becomes false when a tree cannot be read or written.
class TreeWriter {
 public:
  using Changes = std::vector<const TreeChange*>;
  explicit TreeWriter(git_odb* odb) : odb_(odb) {}

  /// Returns the id of `old` (null: an empty tree) with the changes; nothing: no entry is left. `skip` bytes
  /// of each path lead to this directory.
  std::optional<git_oid> write(const git_oid* old, const Changes& changes, std::size_t skip) {
    const OdbObject object(odb_, old);
    std::map<std::string_view, RawTreeEntry> entries;
    if (old != nullptr) {
      const auto read = object.is(GIT_OBJECT_TREE) ? entries_of(object.bytes()) : std::nullopt;
      ok = ok && read.has_value();
      if (!ok) return std::nullopt;
      for (const auto& entry : *read) entries.emplace(entry.name, entry);
    }
    std::map<std::string_view, Changes> below;
    Changes here;
    for (const auto* change : changes) {
      const auto rest = std::string_view(change->path).substr(skip);
      const auto slash = rest.find('/');
      if (slash != std::string_view::npos)
        below[rest.substr(0, slash)].push_back(change);
      else if (change->mode == kNoMode)
        entries.erase(rest);  // erased first: a directory of that name may follow
      else
        here.push_back(change);
    }
    for (const auto& [name, inner] : below) {
      const auto entry = entries.find(name);
      const bool tree = entry != entries.end() && entry->second.directory();
      const auto id = write(tree ? &entry->second.id : nullptr, inner, skip + name.size() + 1);
      entries.erase(name);
      if (id) entries.insert({name, {name, "040000", *id}});
    }
    for (const auto* change : here) {  // inserted last: a file may replace a directory
      const auto name = std::string_view(change->path).substr(skip);
      const auto id = oid_of(change->id);
      ok = ok && id && !name.empty();
      if (ok) entries.insert_or_assign(name, RawTreeEntry{name, change->mode, *id});
    }
    if (!ok || (entries.empty() && skip > 0)) return std::nullopt;
    return store(entries);
  }

  bool ok = true;

 private:
  std::optional<git_oid> store(const std::map<std::string_view, RawTreeEntry>& entries) {
    std::vector<const RawTreeEntry*> sorted;
    for (const auto& [name, entry] : entries) sorted.push_back(&entry);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return before(*a, *b); });
    std::string bytes;
    for (const auto* entry : sorted) {
      bytes += entry->directory() ? entry->mode.substr(1) : entry->mode;  // git writes no leading zero
      (bytes += ' ') += entry->name;
      bytes += '\0';
      bytes.append(reinterpret_cast<const char*>(entry->id.id), GIT_OID_RAWSZ);
    }
    const auto id = write_object(odb_, bytes, GIT_OBJECT_TREE);
    ok = id.has_value();
    return id;
  }

  git_odb* odb_;
};

/// Rejects characters that git would remove from a name; git writes such names.
bool plain_name(const std::string& text) {
  return !text.empty() && text.find_first_of("<>\n\"'\\") == std::string::npos && text.front() > ' ' &&
         text.back() > '.' && text.front() > '.';
}

std::optional<git_oid> root_of(git_odb* odb, const std::string& id) {
  constexpr std::string_view kTree = "tree ";
  const auto oid = oid_of(id);
  if (odb == nullptr || !oid) return std::nullopt;
  const OdbObject object(odb, &*oid);
  if (object.is(GIT_OBJECT_TREE)) return oid;
  if (!object.is(GIT_OBJECT_COMMIT) || !object.bytes().starts_with(kTree)) return std::nullopt;
  return oid_of(std::string(object.bytes().substr(kTree.size(), GIT_OID_HEXSZ)));
}

enum class Found { yes, no, unknown };

/// git's rule for files without an attribute.
bool looks_binary(std::string_view bytes) {
  constexpr std::size_t kLookedAt = 8000;
  return bytes.substr(0, kLookedAt).find('\0') != std::string_view::npos;
}

/// Finds the object of "COMMIT:path" or of an id.
Found find(git_odb* odb, const std::string& name, git_oid& id) {
  const auto colon = name.find(':');
  const auto start = colon == std::string::npos ? oid_of(name) : root_of(odb, name.substr(0, colon));
  if (!start) return Found::unknown;
  id = *start;
  if (colon == std::string::npos) return git_oid_is_zero(&id) != 0 ? Found::no : Found::yes;
  const auto parts = split(std::string_view(name).substr(colon + 1), '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const OdbObject object(odb, &id);
    const auto entries = object.is(GIT_OBJECT_TREE) ? entries_of(object.bytes()) : std::nullopt;
    if (!entries) return Found::unknown;
    const auto entry = std::find_if(entries->begin(), entries->end(),
                                    [&](const RawTreeEntry& each) { return each.name == parts[i]; });
    if (entry == entries->end() || (i + 1 < parts.size() && !entry->directory())) return Found::no;
    id = entry->id;
  }
  return Found::yes;
}

}  // namespace

ObjectDatabase::ObjectDatabase(const fs::path& objects)
    : odb_(held<git_odb>(git_odb_open, objects.c_str())) {}

std::optional<std::vector<TreeFile>> ObjectDatabase::files(const std::string& id) const {
  const auto root = root_of(odb_.get(), id);
  if (!root) return std::nullopt;
  std::vector<TreeFile> files;
  TreeWalk walk(odb_.get());
  walk.list(*root, "", files);
  return walk.ok ? std::optional(std::move(files)) : std::nullopt;
}

std::optional<std::vector<TreeChange>> ObjectDatabase::changes(const std::string& from,
                                                               const std::string& to) const {
  const auto before = root_of(odb_.get(), from), after = root_of(odb_.get(), to);
  if (!before || !after) return std::nullopt;
  TreeWalk walk(odb_.get());
  walk.compare(&*before, &*after, "");
  return walk.ok ? std::optional(std::move(walk.changes)) : std::nullopt;
}

std::optional<std::vector<std::optional<std::string>>> ObjectDatabase::blobs(
    const std::vector<std::string>& names, std::size_t max_bytes, std::int64_t max_total) const {
  std::vector<std::optional<std::string>> found(names.size());
  std::int64_t total = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    git_oid id;
    const auto there = odb_ ? find(odb_.get(), names[i], id) : Found::unknown;
    if (there == Found::no) continue;
    std::size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    if (there == Found::unknown || git_odb_read_header(&size, &type, odb_.get(), &id) != 0)
      return std::nullopt;
    const bool fits = size <= max_bytes && total + static_cast<std::int64_t>(size) <= max_total;
    if (type != GIT_OBJECT_BLOB || !fits) continue;
    const OdbObject object(odb_.get(), &id);
    if (!object.is(GIT_OBJECT_BLOB)) return std::nullopt;
    found[i] = std::string(object.bytes());
    total += static_cast<std::int64_t>(size);
  }
  return found;
}

std::optional<std::string> ObjectDatabase::blob(const std::string& id) const {
  const auto oid = oid_of(id);
  if (!odb_ || !oid) return std::nullopt;
  const OdbObject object(odb_.get(), &*oid);
  return object.is(GIT_OBJECT_BLOB) ? std::optional(std::string(object.bytes())) : std::nullopt;
}

std::optional<std::size_t> ObjectDatabase::blob_size(const std::string& id) const {
  const auto oid = oid_of(id);
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  if (!odb_ || !oid || git_odb_read_header(&size, &type, odb_.get(), &*oid) != 0) return std::nullopt;
  return type == GIT_OBJECT_BLOB ? std::optional(size) : std::nullopt;
}

std::optional<ChangedLines> ObjectDatabase::changed_lines(const std::string& from,
                                                          const std::string& to) const {
  std::string sides[2];
  for (const auto* id : {&from, &to}) {
    if (id->find_first_not_of('0') == std::string::npos) continue;
    // A child git counts the lines of a large file: this process would hold its content several times.
    if (blob_size(*id).value_or(kMostCounted + 1) > kMostCounted) return std::nullopt;
    auto bytes = blob(*id);
    if (!bytes) return std::nullopt;
    sides[id == &to ? 1 : 0] = std::move(*bytes);
  }
  ChangedLines lines;
  lines.binary = looks_binary(sides[0]) || looks_binary(sides[1]);
  if (lines.binary || from == to) return lines;
  git_diff_options options;
  if (git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) != 0) return std::nullopt;
  options.context_lines = 0;
  options.flags |= GIT_DIFF_FORCE_TEXT;
  const auto patch = held<git_patch>(git_patch_from_buffers, sides[0].data(), sides[0].size(), nullptr,
                                     sides[1].data(), sides[1].size(), nullptr, &options);
  const bool counted = patch && git_patch_line_stats(nullptr, &lines.added, &lines.removed, patch.get()) == 0;
  return counted ? std::optional(lines) : std::nullopt;
}

std::optional<std::string> ObjectDatabase::write_blob(std::string_view bytes) const {
  const auto id = odb_ ? write_object(odb_.get(), bytes, GIT_OBJECT_BLOB) : std::nullopt;
  return id ? std::optional(hex_of(*id)) : std::nullopt;
}

std::optional<std::string> ObjectDatabase::tree_of(const std::string& id) const {
  const auto root = root_of(odb_.get(), id);
  return root ? std::optional(hex_of(*root)) : std::nullopt;
}

std::optional<std::string> ObjectDatabase::write_tree(const std::string& id,
                                                      const std::vector<TreeChange>& changes) const {
  const auto root = root_of(odb_.get(), id);
  if (!root) return std::nullopt;
  TreeWriter writer(odb_.get());
  TreeWriter::Changes all;
  for (const auto& change : changes) all.push_back(&change);
  const auto written = writer.write(&*root, all, 0);
  return written ? std::optional(hex_of(*written)) : std::nullopt;
}

std::optional<std::string> ObjectDatabase::write_commit(const model::RepositoryFacts& facts,
                                                        const std::string& tree, const std::string& message,
                                                        std::int64_t unix_seconds) const {
  if (!odb_ || facts.object_format != "sha1" || !plain_name(facts.user_name) || !plain_name(facts.user_email))
    return std::nullopt;
  const std::string who =
      facts.user_name + " <" + facts.user_email + "> " + std::to_string(unix_seconds) + " +0000\n";
  const std::string text =
      "tree " + tree + "\nparent " + facts.base + "\nauthor " + who + "committer " + who + "\n" + message;
  const auto id = write_object(odb_.get(), text, GIT_OBJECT_COMMIT);
  return id ? std::optional(hex_of(*id)) : std::nullopt;
}

}  // namespace hydra::git
