// Whether a driver runs what a toolkit made: the rule of NVIDIA's guide CUDA Compatibility, "Minor Version Compatibility", and of its
// CUDA Toolkit, Driver, and Architecture Matrix. And which of a program's kernels a GPU runs: CUDA Compiler Driver NVCC, "Application
// Compatibility".
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace warpbook::lessons {

struct CudaVersion {
  int major = 0, minor = 0;
  friend auto operator<=>(const CudaVersion&, const CudaVersion&) = default;
};
/// Of "12.8"; nothing where the text is none.
std::optional<CudaVersion> cuda_version(std::string_view text);

enum class Verdict : unsigned char {
  runs,  ///< the driver is as new as the toolkit: everything runs
  limited,  ///< older, of the same major release: machine code runs, PTX and what newer drivers brought do not
  refused  ///< of an older major release
};
std::string_view name_of(Verdict verdict);  ///< "runs", "limited", "refused"

/// `driver` is what nvidia-smi calls "CUDA Version"; `toolkit` made the program.
Verdict verdict_of(const CudaVersion& driver, const CudaVersion& toolkit);

/// The oldest driver branch that runs anything of a toolkit's major release (11 and up): 580 for 13. Nothing where the guide's table
/// does not say.
std::optional<int> minimum_driver(int toolkit_major);

/// In what form a GPU runs a program's kernel.
enum class Form : unsigned char {
  machine_code,
  ptx,          ///< translated by the driver
  unknown_ptx,  ///< it would, but PTX of a newer toolkit is nothing that the driver knows
  none          ///< the program carries nothing for this GPU
};
struct Chosen {
  Form form = Form::none;
  std::string target;  ///< "sm_80", "compute_90"; "" for none
  friend bool operator==(const Chosen&, const Chosen&) = default;
};
/// `capability` is 89 for 8.9; `targets` is what the program carries: "sm_80 compute_80". Only where `knows_ptx` does the driver
/// translate it. Machine code goes first: of the same major capability, the newest that is not above the GPU's.
Chosen chosen_form(int capability, std::string_view targets, bool knows_ptx);

}  // namespace warpbook::lessons
