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

namespace warpbook::device {

enum class Severity : std::uint8_t { note, remark, warning, error };
constexpr auto enum_names(Severity) {
  return checked_names<Severity>("note", "remark", "warning", "error");
}

struct Diagnostic {
  SourcePlace place;  ///< file is the SourceFile's own name
  Severity severity = Severity::error;
  std::string text;  ///< the compiler's words, without place and severity
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// What to compile.
struct CompileRequest {
  std::string name;       ///< what diagnostics and .loc call the source: "add.cu"; no folder
  std::string source;     ///< CUDA C++, UTF-8
  int architecture = 90;  ///< 90 is compute_90
  bool cubin = false;     ///< also make the cubin for that architecture
  bool line_info = true;  ///< -lineinfo
  bool fmad = true;       ///< -fmad; false for comparisons bit by bit
  bool debug = false;     ///< -G
  std::vector<std::pair<std::string, std::string>>
      defines;  ///< name is an identifier; value may not hold a newline
  std::vector<std::string> name_expressions;  ///< "scale<float>": template instances to keep
  /// A program written for nvcc, or a part of one: headers that are not here are left out with a warning,
  /// and so is what its kernels do not reach. What we write ourselves is held to every line.
  bool foreign = false;
  std::string kernel;  ///< of a foreign program: the only one that has to compile; empty: all
  bool default_device = false;  ///< -default-device: what says nothing is device code
};

/// What came of it.
struct Program {
  std::string name;  ///< of the source
  std::string source;
  int architecture = 0;
  std::string ptx;
  std::vector<std::uint8_t> cubin;                           ///< empty unless asked for
  std::vector<Diagnostic> diagnostics;                       ///< warnings and remarks
  std::vector<std::pair<std::string, std::string>> lowered;  ///< name expression -> mangled name
  std::string nvrtc;                                         ///< "13.0"
  double seconds = 0;  ///< the compiler's own; what it was when a cached program was first made
  bool cached = false;
};

/// A compile that failed: the error (compile_error with the count, or what befell the worker) and
/// the diagnostics.
struct CompileFailure {
  Error error;
  std::vector<Diagnostic> diagnostics;
};

/// Which rung of the box untrusted source compiles in (docs/architecture.md, "The box").
enum class BoxRung : std::uint8_t {
  limits,
  seccomp,
  landlock,
  namespaces
};  // each adds to the one before
std::string_view name_of(BoxRung rung);

/// The compiler, warm. Thread-safe; compiles queue. Costs nothing until the first compile.
class Compiler {
 public:
  struct Options {
    std::string cache_folder;  ///< empty: the standard one (platform.hpp); "-" keeps no cache
    std::uint64_t cache_bytes = 256u << 20;
    double timeout_seconds = 60;
    std::uint64_t memory_bytes = 2ull << 30;  ///< address space of one compile
    BoxRung highest_rung =
        BoxRung::namespaces;  ///< lower it to try what a machine that allows less would do
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
    BoxRung rung = BoxRung::limits;
    std::string why_not_higher;  ///< what this machine denies; empty at the highest rung
    std::optional<Error> error;  ///< where not available: what is missing and the remedy
    std::string cache_note;      ///< why compiled programs are not kept; empty while they are
    int worker = -1;             ///< process id of the warm worker
  };
  /// Starts the worker if need be.
  Status status();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpbook::device
