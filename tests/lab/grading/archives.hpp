// Archives for tests, of whatever entries, also those that no program would write.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpbook::tests {

struct Entry {
  std::string path, bytes;
  std::string link_to{};  ///< not empty: a symbolic link
};

enum class ArchiveForm { zip, tar_gz };

/// The archive's bytes.
inline std::string archive_of(const std::vector<Entry>& entries,
                              ArchiveForm form = ArchiveForm::zip) {
  std::size_t most = 1u << 16;
  for (const Entry& entry : entries) most += 2 * entry.bytes.size() + 4096;
  std::string bytes(most, '\0');
  std::size_t used = 0;
  const std::unique_ptr<archive, void (*)(archive*)> made(
      archive_write_new(), [](archive* each) { archive_write_free(each); });
  if (form == ArchiveForm::zip) archive_write_set_format_zip(made.get());
  if (form == ArchiveForm::tar_gz) {
    archive_write_set_format_pax_restricted(made.get());
    archive_write_add_filter_gzip(made.get());
  }
  if (archive_write_open_memory(made.get(), bytes.data(), bytes.size(), &used) != ARCHIVE_OK)
    throw std::runtime_error("no archive");
  for (const Entry& entry : entries) {
    archive_entry* header = archive_entry_new();
    archive_entry_set_pathname(header, entry.path.c_str());
    archive_entry_set_perm(header, 0644);
    archive_entry_set_filetype(header, entry.link_to.empty() ? AE_IFREG : AE_IFLNK);
    if (!entry.link_to.empty()) archive_entry_set_symlink(header, entry.link_to.c_str());
    archive_entry_set_size(header, static_cast<la_int64_t>(entry.bytes.size()));
    if (archive_write_header(made.get(), header) != ARCHIVE_OK)
      throw std::runtime_error("no entry " + entry.path);
    archive_write_data(made.get(), entry.bytes.data(), entry.bytes.size());
    archive_entry_free(header);
  }
  archive_write_close(made.get());
  bytes.resize(used);
  return bytes;
}

}  // namespace warpbook::tests
