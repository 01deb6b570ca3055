// CUDA C++ to PTX and cubin, by NVRTC in the boxed compile worker. Needs no GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "device/error.hpp"
#include "device/program.hpp"

namespace warpbook::device {

/// A source and how to compile it.
struct CompileRequest {
  std::string name;       ///< the source in diagnostics and .loc: "add.cu", without a folder
  std::string source;     ///< CUDA C++, UTF-8
  int architecture = 90;  ///< 90 is compute_90
  bool cubin = false;     ///< also make the cubin for that architecture
  bool line_info = true;  ///< -lineinfo
  bool fmad = true;       ///< -fmad; false for comparisons bit by bit
  bool debug = false;     ///< -G
  std::vector<std::pair<std::string, std::string>>
      defines;  ///< name is an identifier; value may not hold a newline
  std::vector<std::string> name_expressions;  ///< "scale<float>": template instances to keep
  /// A program that somebody wrote for nvcc, or a part of one. Headers that are absent here are left out with a warning, and
  /// code that its kernels do not reach is left out, too. Our own kernels have to compile whole.
  bool foreign = false;
  std::string
      kernel;  ///< of a foreign program: the only kernel that has to compile; empty: all of them
  bool default_device = false;  ///< -default-device: a function without a mark is device code
};
template <class V>
void fields(V&& visit, Is<CompileRequest> auto& v) {
  visit("name", v.name);
  visit("source", v.source);
  visit("architecture", v.architecture);
  visit("cubin", v.cubin);
  visit("line_info", v.line_info);
  visit("fmad", v.fmad);
  visit("debug", v.debug);
  visit("foreign", v.foreign);
  visit("kernel", v.kernel);
  visit("default_device", v.default_device);
  visit("defines", v.defines);
  visit("name_expressions", v.name_expressions);
}

/// A compile that failed: the error (compile_error with the count, or how the worker failed) and the diagnostics.
struct CompileFailure {
  Error error;
  std::vector<Diagnostic> diagnostics;
};

/// How far the compile box (docs/compile-box.md) confines the process that compiles untrusted source. Each level adds to
/// the one before.
enum class ConfinementLevel : std::uint8_t {
  limits,     ///< bounds on memory, processor time and file size
  seccomp,    ///< only the system calls of a warm compile; files come from the file broker
  landlock,   ///< the kernel refuses every path, too
  namespaces  ///< an empty file system, and no network
};
constexpr auto enum_names(ConfinementLevel) {
  return checked_names<ConfinementLevel>("limits", "seccomp", "landlock", "namespaces");
}

/// The compiler, warm. Thread-safe; compiles queue. Costs nothing until the first compile.
class Compiler {
 public:
  struct Options {
    std::string cache_folder;  ///< empty: the standard one (platform.hpp); "-" keeps no cache
    std::uint64_t cache_bytes = 256u << 20;
    double timeout_seconds = 60;
    std::uint64_t memory_bytes = 2ull << 30;  ///< address space of one compile
    ConfinementLevel highest_level = ConfinementLevel::
        namespaces;  ///< a lower one shows how it works on a computer that allows less
  };
  Compiler();
  explicit Compiler(Options options);
  ~Compiler();
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  /// Compiles, or takes it from the cache. A stop request kills the compile and returns
  /// ErrorCode::cancelled.
  tl::expected<std::shared_ptr<const Program>, CompileFailure> compile(
      const CompileRequest& request, std::stop_token stop = {});

  struct Status {
    bool available = false;
    std::string version;  ///< "13.0.88"
    std::string library;  ///< the file that was opened
    std::string headers;  ///< the folder of CUDA's headers
    ConfinementLevel level = ConfinementLevel::limits;
    std::string why_not_higher;  ///< what this computer refuses; empty at the highest level
    std::optional<Error> error;  ///< where not available: what is missing and the remedy
    std::string cache_note;      ///< why compiled programs are not kept; empty while they are
    int worker = -1;             ///< process id of the warm worker
    double seconds = 0;          ///< that it has compiled, all programs together
  };
  /// Starts the worker if need be.
  Status status();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpbook::device
