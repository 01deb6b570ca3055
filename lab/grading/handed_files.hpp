// The files of a download: a folder, or an archive (zip, tar, tar.gz), also with archives of students within. Nothing is unpacked onto
// the disk, so that no name and no link in an archive leads anywhere; and what is read is bounded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"

namespace warpbook::lab {

struct HandedFile {
  std::string
      path;  ///< with "/" between; a file of an archive within stands behind its name: "ada_1_2_work.zip/saxpy.cu"
  std::string bytes;
  device::Message problem;  ///< not empty: why it cannot be graded; then there are no bytes
};

/// What one download may hold. A class of a thousand with a dozen files each stays far below.
struct DownloadLimits {
  std::uint64_t file_bytes = 1u << 20;    ///< of one file; a larger one is named and not read
  std::uint64_t total_bytes = 1u << 28;   ///< of all archives, unpacked
  std::uint64_t within_bytes = 1u << 25;  ///< of one archive within, unpacked
  std::uint64_t files = 20000;            ///< of all
  std::uint64_t files_within = 500;       ///< of one archive within
};

/// All files, in the order of their paths. Whatever a student can have caused is a problem of that one file. Errors: file_unreadable,
/// also where the download as a whole is beyond its limits.
device::Expected<std::vector<HandedFile>> read_download(const std::filesystem::path& download,
                                                        const DownloadLimits& limits = {});

/// "saxpy.cu" of "ada_1_2_work.zip/saxpy.cu".
std::string_view last_part(std::string_view path);
/// A name that a student chose, to be shown: valid, printable and without line ends.
std::string on_one_line(std::string_view name);

}  // namespace warpbook::lab
