#include "lab/grading/handed_files.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "device/platform.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using device::Message;
namespace fs = std::filesystem;

constexpr std::size_t kReadAtOnce = 1u << 16;
constexpr std::array<std::string_view, 4> kArchives{".zip", ".tar", ".tar.gz", ".tgz"};

/// phrase.handed.NAME
Message handed_phrase(std::string_view name) {
  return {"phrase.handed." + std::string(name), {}, {}};
}

bool is_archive(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::any_of(kArchives, [&](auto end) { return lower.ends_with(end); });
}

/// What file managers leave in archives beside the files.
bool is_litter(std::string_view path) {
  const std::string_view name = last_part(path);
  return path.starts_with("__MACOSX/") || path.find("/__MACOSX/") != path.npos ||
         name.starts_with("._") || name == ".DS_Store" || name == "Thumbs.db";
}

/// Why a path in an archive is refused; empty where it is none that could lead or look elsewhere.
Message refused_path(std::string_view path) {
  if (path.empty() || path.starts_with('/')) return handed_phrase("leads-out");
  if (std::ranges::any_of(path, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return handed_phrase("control-characters");
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t to = std::min(path.find_first_of("/\\", from), path.size());
    if (path.substr(from, to - from) == "..") return handed_phrase("leads-out");
    from = to + 1;
  }
  return {};
}

struct ArchiveFree {
  void operator()(archive* opened) const { archive_read_free(opened); }
};
using OpenArchive = std::unique_ptr<archive, ArchiveFree>;

/// Only the forms that downloads have: each further one would be code that strangers' bytes reach.
OpenArchive new_archive() {
  OpenArchive opened(archive_read_new());
  archive_read_support_format_zip(opened.get());
  archive_read_support_format_tar(opened.get());
  archive_read_support_filter_gzip(opened.get());
  return opened;
}

class DownloadReader {
 public:
  explicit DownloadReader(const DownloadLimits& limits) : limits_(limits) {}

  device::Expected<std::vector<HandedFile>> read(const fs::path& download) {
    std::error_code error;
    const bool folder = fs::is_directory(download, error);
    const Message why = folder ? read_folder(download) : read_outer_archive(download);
    if (!why.empty())
      return device::failure(ErrorCode::file_unreadable,
                             {{"file", download.string()}, {"why", why}});
    std::ranges::stable_sort(files_, {}, &HandedFile::path);
    return std::move(files_);
  }

 private:
  /// Of each of these: why the download as a whole cannot be read; empty where all is well.
  Message read_folder(const fs::path& folder) {
    std::error_code error;
    fs::recursive_directory_iterator entries(folder, error), end;
    for (; !error && entries != end; entries.increment(error)) {
      const std::string path = entries->path().lexically_relative(folder).generic_string();
      const fs::file_status status = fs::symlink_status(entries->path(), error);
      if (fs::is_directory(status) || is_litter(path)) continue;
      if (files_.size() >= limits_.files) return handed_phrase("too-many-files");
      if (fs::is_symlink(status)) {
        refuse(path, {"phrase.why.a-link", {}, {}});
      } else if (Message refused = refused_path(path); !refused.empty()) {
        refuse(path, std::move(refused));
      } else {
        read_file_of_folder(entries->path(), path);
      }
    }
    return error ? Message::plain(error.message()) : Message{};
  }

  void read_file_of_folder(const fs::path& file, const std::string& path) {
    const bool packed = is_archive(path);
    auto bytes = device::read_file(file, packed ? limits_.within_bytes : limits_.file_bytes);
    if (!bytes) {
      refuse(path, too_large(file, packed) ? handed_phrase("too-large") : why_of(bytes.error()));
    } else if (packed) {
      read_archive_within(path, *bytes);
    } else {
      files_.push_back({path, std::move(*bytes), {}});
    }
  }
  [[nodiscard]] bool too_large(const fs::path& file, bool packed) const {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    return !error && size > (packed ? limits_.within_bytes : limits_.file_bytes);
  }
  static Message why_of(const device::Error& error) {
    const Message* why = argument_of(error.arguments, "why");
    return why ? *why : error.message();
  }

  Message read_outer_archive(const fs::path& file) {
    const auto bytes = device::read_file(file, limits_.total_bytes);
    if (!bytes) return why_of(bytes.error());
    const OpenArchive opened = new_archive();
    if (archive_read_open_memory(opened.get(), bytes->data(), bytes->size()) != ARCHIVE_OK)
      return handed_phrase("no-archive");
    Unpacking whole{"", limits_.total_bytes, limits_.files, true};
    return unpack(opened.get(), whole);
  }

  void read_archive_within(const std::string& path, const std::string& bytes) {
    const OpenArchive opened = new_archive();
    const std::size_t before = files_.size();
    Message why = handed_phrase("no-archive");
    if (archive_read_open_memory(opened.get(), bytes.data(), bytes.size()) == ARCHIVE_OK) {
      Unpacking within{path + "/", limits_.within_bytes, limits_.files_within, false};
      why = unpack(opened.get(), within);
      // Else its owner would look like somebody who handed nothing in.
      if (why.empty() && files_.size() == before) why = handed_phrase("empty-archive");
    }
    if (why.empty()) return;
    // What was read of it before is no submission: a part of somebody's work would be graded as all of it.
    files_.resize(before);
    refuse(path, std::move(why));
  }

  /// An archive on its way: what its files are called behind, and what it may still hold.
  struct Unpacking {
    std::string prefix;
    std::uint64_t bytes_left, files_left;
    bool outer;  ///< archives within are read, too
  };

  Message unpack(archive* opened, Unpacking& unpacking) {
    archive_entry* entry = nullptr;
    for (;;) {
      const int result = archive_read_next_header(opened, &entry);
      if (result == ARCHIVE_EOF) return {};
      if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return handed_phrase("damaged-archive");
      if (unpacking.files_left-- == 0) return handed_phrase("too-many-files");
      if (archive_entry_is_encrypted(entry) != 0) return handed_phrase("encrypted");
      if (Message why = take_entry(opened, entry, unpacking); !why.empty()) return why;
    }
  }

  Message take_entry(archive* opened, archive_entry* entry, Unpacking& unpacking) {
    const char* const name = archive_entry_pathname(entry);
    const std::string path = name ? name : "";
    const auto type = archive_entry_filetype(entry);
    if (type == AE_IFDIR || is_litter(path)) return {};
    const std::string shown = unpacking.prefix + path;
    const bool link = type == AE_IFLNK || archive_entry_hardlink(entry) != nullptr;
    Message refused = refused_path(path);
    if (refused.empty() && link) refused = {"phrase.why.a-link", {}, {}};
    if (refused.empty() && type != AE_IFREG) refused = {"phrase.why.irregular", {}, {}};
    if (!refused.empty()) {
      refuse(shown, std::move(refused));
      return {};
    }
    const bool packed = is_archive(path);
    const std::uint64_t most = packed ? limits_.within_bytes : limits_.file_bytes;
    std::string bytes;
    if (Message why = read_data(opened, bytes, most, unpacking); !why.empty()) return why;
    if (bytes.size() > most) {
      refuse(shown, handed_phrase("too-large"));
    } else if (packed && unpacking.outer) {
      read_archive_within(shown, bytes);
    } else if (packed) {
      refuse(shown, handed_phrase("archive-in-archive"));
    } else {
      files_.push_back({shown, std::move(bytes), {}});
    }
    return {};
  }

  /// The entry's bytes; of one that is too large a few more than `most`, though all of it is counted, so that a bomb ends the archive
  /// before the disk or the memory does.
  static Message read_data(archive* opened, std::string& bytes, std::uint64_t most,
                           Unpacking& unpacking) {
    std::array<char, kReadAtOnce> part;
    for (;;) {
      const la_ssize_t count = archive_read_data(opened, part.data(), part.size());
      if (count == 0) return {};
      if (count < 0) return handed_phrase("damaged-archive");
      const auto size = static_cast<std::uint64_t>(count);
      if (size > unpacking.bytes_left) return handed_phrase("too-large-unpacked");
      unpacking.bytes_left -= size;
      if (bytes.size() <= most) bytes.append(part.data(), size);
    }
  }

  void refuse(std::string path, Message why) {
    files_.push_back({std::move(path), {}, std::move(why)});
  }

  DownloadLimits limits_;
  std::vector<HandedFile> files_;
};

}  // namespace

device::Expected<std::vector<HandedFile>> read_download(const fs::path& download,
                                                        const DownloadLimits& limits) {
  return DownloadReader(limits).read(download);
}

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

std::string on_one_line(std::string_view name) {
  std::string line = printable(name);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

}  // namespace warpbook::lab
