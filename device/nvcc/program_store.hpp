// Built programs on disk, kept by the content of what they were built from. Several processes may build at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"
#include "device/file_cache.hpp"
#include "device/nvcc/build_program.hpp"

namespace warpbook::device {

/// The files that a rule of make names as those that its target depends on, as `-MD` writes it.
std::vector<std::string> dependencies_in(std::string_view rule);

/// A folder to build in, which goes with this object.
class BuildFolder {
 public:
  explicit BuildFolder(std::filesystem::path path) : path_(std::move(path)) {}
  BuildFolder(BuildFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  BuildFolder& operator=(BuildFolder&&) = delete;
  ~BuildFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class ProgramStore {
 public:
  /// `system` are the folders whose headers are known by size and time, since nobody edits them; all other files that a program
  /// reads are known by their content.
  ProgramStore(std::filesystem::path folder, std::vector<std::filesystem::path> system);

  /// The program that was built for this request, if all files that it was built from are as they were, and no file has appeared
  /// that would now be found in place of one of them.
  std::optional<BuiltProgram> find(std::string_view request);

  /// A new folder below the store's own, so that what is built there can be moved into the store. Error: file_unwritable.
  Expected<BuildFolder> new_build_folder();

  struct Result {
    std::filesystem::path executable;           ///< in a build folder, from which it is moved
    std::string name;                           ///< the program's
    std::string said;                           ///< the compilers' warnings
    std::vector<std::string> files;             ///< all that were read
    std::vector<std::filesystem::path> search;  ///< the folders in which headers are looked for
    std::filesystem::file_time_type
        begun;  ///< what changed since then is not kept: it may be what was read, or may not
  };
  /// Moves a program into the store. Error: file_unwritable.
  Expected<BuiltProgram> keep(std::string_view request, const Result& result);

 private:
  [[nodiscard]] std::string state_of(const std::vector<std::string>& files) const;
  [[nodiscard]] bool is_systems(const std::filesystem::path& file) const;
  [[nodiscard]] std::vector<std::string> absent_namesakes(const Result& result) const;

  const std::filesystem::path folder_;
  const std::vector<std::filesystem::path> system_;
  FileCache entries_;
};

}  // namespace warpbook::device
