// The box in which a whole program runs (docs/program-box.md), seen from the process that starts it. A program is a stranger's
// native code, so it starts in a child of ours (boxed_main.hpp) that first gives up the rights that a program does not need.
// Its layers:
//   limits      bounds on memory, processes and sizes of files; no core dumps
//   seccomp     no sockets, no tracing, no mounting, and no other call that reaches beyond the program
//   landlock    the kernel refuses every path that is not on the list
//   namespaces  a file system with the listed paths alone, no network, and no processes but the program's own
// The first two hold always. Of the other two one has to, because the files of the user are safe by either.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "device/box/landlock.hpp"
#include "device/error.hpp"
#include "device/wire/fields.hpp"

namespace warpbook::device::runtime {

/// The layers that not every computer allows.
struct BoxLayers {
  bool landlock = true;
  bool namespaces = true;
  friend bool operator==(const BoxLayers&, const BoxLayers&) = default;
};
template <class V>
void fields(V&& visit, Is<BoxLayers> auto& v) {
  visit("landlock", v.landlock);
  visit("namespaces", v.namespaces);
}

/// Of each process, but for their number.
struct ProgramLimits {
  std::uint64_t memory_bytes =
      0;  ///< of its own, without what it shares; 0: three quarters of the computer's
  std::uint64_t file_bytes = 4ull << 30;  ///< of one file
  std::uint32_t processes = 1024;         ///< and threads, all together
};
template <class V>
void fields(V&& visit, Is<ProgramLimits> auto& v) {
  visit("memory_bytes", v.memory_bytes);
  visit("file_bytes", v.file_bytes);
  visit("processes", v.processes);
}

/// What a caller chooses.
struct ProgramBox {
  std::vector<std::filesystem::path> readable;  ///< beside what every program may read
  ProgramLimits limits;
  BoxLayers highest;  ///< fewer show how a program runs on a computer that allows less
};

/// Descriptors from this number on are for the library in the program, two of them, then for the box.
inline constexpr int kProgramChannelFd = 200, kProgramLogFd = 201, kBoxOrderFd = 202,
                     kBoxReportFd = 203;

/// What the process that enters the box is told.
struct BoxOrder {
  std::string executable;
  std::vector<std::string> arguments;  ///< with the program's name
  std::string folder;                  ///< its working folder
  std::string temporary;               ///< its folder for temporary files
  std::vector<Place> places;  ///< what else it may use of the file system, its folder included
  ProgramLimits limits;
  BoxLayers layers;
};
template <class V>
void fields(V&& visit, Is<BoxOrder> auto& v) {
  visit("executable", v.executable);
  visit("arguments", v.arguments);
  visit("folder", v.folder);
  visit("temporary", v.temporary);
  visit("places", v.places);
  visit("limits", v.limits);
  visit("layers", v.layers);
}

/// Why a program could not begin in its box. A program that begins says nothing.
struct BoxReport {
  enum class Failed : std::uint8_t { namespaces, landlock, seccomp, program };
  Failed failed = Failed::program;
  std::string why;
};
constexpr auto enum_names(BoxReport::Failed) {
  return checked_names<BoxReport::Failed>("namespaces", "landlock", "seccomp", "program");
}
template <class V>
void fields(V&& visit, Is<BoxReport> auto& v) {
  visit("failed", v.failed);
  visit("why", v.why);
}

/// A folder of the system's temporary ones, which goes with everything in it when this goes.
class PrivateFolder {
 public:
  PrivateFolder() = default;
  static Expected<PrivateFolder> make();
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PrivateFolder& operator=(PrivateFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~PrivateFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A program to be started in a box.
struct BoxedStart {
  std::filesystem::path executable;
  std::vector<std::string> arguments;    ///< without the program's name
  std::vector<std::string> environment;  ///< NAME=VALUE, all of it
  std::filesystem::path folder;          ///< in which it runs; empty: the current one
  int channel = -1, log = -1;  ///< what it gets as kProgramChannelFd and kProgramLogFd; -1: nothing
  int input = -1;              ///< descriptor of what it reads; -1: ours
  int output = -1, errors = -1;  ///< descriptors for what it prints; -1: ours
  ProgramBox box;
};

struct BoxInForce {
  BoxLayers layers;
  std::string why_not_more;  ///< what this computer refuses; empty where all layers asked for hold
};

/// A program that began. It ends as the process `pid` does, with the same code or signal; SIGTERM to that process ends the
/// program with all that it started.
struct BoxedProgram {
  pid_t pid = -1;
  BoxInForce box;
  PrivateFolder temporary;  ///< to be kept until it has ended
};

/// Errors: program_box_folder, where it would run in a folder that holds the user's home; program_box_missing, where this
/// computer allows no box; file_unwritable, where there is no place for temporary files; worker_failed, where the program itself
/// cannot be started.
Expected<BoxedProgram> start_in_box(const BoxedStart& start);

/// The box that programs get on this computer, which is found out by running one. Errors: as start_in_box().
Expected<BoxInForce> probe_program_box();

}  // namespace warpbook::device::runtime
