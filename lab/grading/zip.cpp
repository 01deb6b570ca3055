#include "lab/grading/zip.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace warpbook::lab {
namespace {

namespace fs = std::filesystem;
using device::ErrorCode;

struct ArchiveFree {
  void operator()(archive* made) const { archive_write_free(made); }
};
struct EntryFree {
  void operator()(archive_entry* header) const { archive_entry_free(header); }
};
using OpenArchive = std::unique_ptr<archive, ArchiveFree>;

// Midday of 1 January 2000, since a zip has no zone: wherever it is unpacked, its files are in the past.
constexpr std::int64_t kWhen = 946728000;
constexpr int kPlain = 0644, kExecutable = 0755;

std::string said_by(archive* made) {
  const char* const said = archive_error_string(made);
  return said ? said : "";
}

tl::unexpected<device::Error> unwritable(const fs::path& file, std::string why) {
  return device::failure(
      ErrorCode::file_unwritable,
      {{"file", file.string()}, {"why", device::Message::plain(std::move(why))}});
}

tl::unexpected<device::Error> unreadable(const fs::path& file, const std::error_code& error) {
  return device::failure(
      ErrorCode::file_unreadable,
      {{"file", file.string()}, {"why", device::Message::plain(error.message())}});
}

bool copy_into(archive* made, std::ifstream& stream) {
  std::array<char, 1u << 16> chunk{};
  while (stream) {
    stream.read(chunk.data(), chunk.size());
    const auto got = static_cast<std::size_t>(stream.gcount());
    if (got != 0 && archive_write_data(made, chunk.data(), got) < 0) return false;
  }
  return true;
}

device::Expected<void> write_entry(archive* made, const ZipEntry& entry, const fs::path& zip) {
  std::error_code error;
  const auto size = entry.file.empty() ? entry.bytes.size() : fs::file_size(entry.file, error);
  std::ifstream stream(entry.file, std::ios::binary);
  if (error || (!entry.file.empty() && !stream))
    return unreadable(entry.file, error ? error : std::make_error_code(std::errc::io_error));
  const std::unique_ptr<archive_entry, EntryFree> header(archive_entry_new());
  archive_entry_set_pathname(header.get(), entry.path.c_str());
  archive_entry_set_filetype(header.get(), AE_IFREG);
  archive_entry_set_perm(header.get(), entry.executable ? kExecutable : kPlain);
  archive_entry_set_mtime(header.get(), kWhen, 0);
  archive_entry_set_size(header.get(), static_cast<la_int64_t>(size));
  if (archive_write_header(made, header.get()) != ARCHIVE_OK) return unwritable(zip, said_by(made));
  const bool written = entry.file.empty()
                           ? archive_write_data(made, entry.bytes.data(), entry.bytes.size()) >= 0
                           : copy_into(made, stream);
  if (!written) return unwritable(zip, said_by(made));
  return {};
}

device::Expected<void> write_all(const fs::path& zip, const std::vector<ZipEntry>& entries) {
  const OpenArchive made(archive_write_new());
  archive_write_set_format_zip(made.get());
  if (archive_write_open_filename(made.get(), zip.c_str()) != ARCHIVE_OK)
    return unwritable(zip, said_by(made.get()));
  for (const ZipEntry& entry : entries) {
    if (auto done = write_entry(made.get(), entry, zip); !done) return done;
  }
  if (archive_write_close(made.get()) != ARCHIVE_OK) return unwritable(zip, said_by(made.get()));
  return {};
}

}  // namespace

device::Expected<void> add_tree(std::vector<ZipEntry>& entries, const fs::path& from,
                                const std::string& as, const LeavesOut& leaves_out) {
  std::error_code error;
  if (!fs::is_directory(from, error)) {
    const fs::perms mode = fs::status(from, error).permissions();
    if (error) return unreadable(from, error);
    entries.push_back({as, "", from, (mode & fs::perms::owner_exec) != fs::perms::none});
    return {};
  }
  constexpr auto kFollow = fs::directory_options::follow_directory_symlink;
  fs::recursive_directory_iterator found(from, kFollow, error), end;
  for (; !error && found != end; found.increment(error)) {
    const fs::path path = found->path().lexically_relative(from);
    const bool left_out = leaves_out && leaves_out(path);
    if (left_out) found.disable_recursion_pending();
    if (left_out || found->is_directory()) continue;
    if (auto added = add_tree(entries, found->path(), as + "/" + path.generic_string()); !added)
      return added;
  }
  if (error) return unreadable(from, error);
  return {};
}

device::Expected<void> write_zip(const fs::path& file, const std::vector<ZipEntry>& entries) {
  const fs::path unfinished = file.string() + ".unfinished";
  auto done = write_all(unfinished, entries);
  std::error_code error;
  if (done) fs::rename(unfinished, file, error);
  if (!done || error) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
  }
  if (done && error) return unwritable(file, error.message());
  return done;
}

}  // namespace warpbook::lab
