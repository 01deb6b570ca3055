// A library of other people's kernels: which algorithms it has for a problem, what one of them computes, and how long it
// takes. NVIDIA's and oneDNN run in a worker process (client.hpp), behind the same interface as in it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"
#include "device/libraries/problem.hpp"
#include "device/measure.hpp"

namespace warpbook::device::libraries {

enum class Kind : std::uint8_t { cudnn, cublas, onednn };
std::string_view name_of(Kind kind);  ///< "cuDNN", ...
/// The one command that installs it.
std::string_view command_for(Kind kind);

/// What was opened.
struct Identity {
  std::string version;  ///< "9.19.0"
  std::string file;
  std::string cuda;  ///< the CUDA it was built for, "13.0"; empty where it has none
};

/// What a choice is made for: a GPU that is described to the library, or the machine that it runs on.
struct Target {
  std::string description;  ///< cuDNN's JSON (described_gpu.hpp); empty: what is present
  friend bool operator==(const Target&, const Target&) = default;
};

struct Algorithm {
  std::string name;      ///< "engine 38", "brgconv:avx512_core"
  std::string settings;  ///< in the library's own words: an engine's knobs, a primitive's layouts
  std::string
      origin;  ///< how it came to be listed: "heuristic", "fallback", "by number"; may be empty
  std::uint64_t workspace = 0;     ///< bytes
  std::vector<std::string> notes;  ///< in the library's own words: "TENSOR_CORE", ...
};

/// What a library has for a problem, in its own order of preference.
struct Offer {
  std::vector<Algorithm> algorithms;
  std::uint32_t left_out = 0;  ///< of lower precision than was asked for
  std::uint32_t refused = 0;   ///< asked for by number, and not fit for this problem and GPU
};

class Library {
 public:
  virtual ~Library() = default;
  virtual Expected<Identity> identity() = 0;

  /// Errors: bad_problem, library_refused with the library's own words, library_missing, ...
  virtual Expected<Offer> offer(const Problem& problem, const Target& target) = 0;
  /// The result of an algorithm (its place in the offer for what is present) on `inputs`, the tensors of tensors_of.
  virtual Expected<std::vector<float>> run(const Problem& problem, std::uint32_t algorithm,
                                           const std::vector<std::vector<float>>& inputs) = 0;
  /// The times of algorithms of the offer for what is present, taken in turns.
  virtual Expected<std::vector<Timing>> time(const Problem& problem,
                                             const std::vector<std::uint32_t>& algorithms,
                                             const TimeLimits& limits) = 0;
  /// The GPU that is present as the library describes it to itself. Error: not_supported.
  virtual Expected<std::string> describe_device();
};

/// Opens the library in this process, for good: none is ever unloaded. Errors: library_missing,
/// library_damaged, library_version.
Expected<std::unique_ptr<Library>> open_cudnn(const std::string& file);
Expected<std::unique_ptr<Library>> open_cublas(const std::string& file);
Expected<std::unique_ptr<Library>> open_onednn(const std::string& file);
Expected<std::unique_ptr<Library>> open(Kind kind, const std::string& file);

}  // namespace warpbook::device::libraries
