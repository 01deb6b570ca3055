// kernels/<operation>/: operation.toml says arguments, shapes and tolerances; each rung opens with a `//@` block.
// `run_rung` runs any of them by name, so that lessons, checks, tests and benches never say it twice.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lesson.hpp"

namespace warpbook::lab {

/// The `//@` block of a rung. Expressions are integer arithmetic (+ - * / %, ceil_div(a, b), min, max, parentheses)
/// over the operation's named arguments and the rung's own defines.
struct Rung {
  std::string operation;  ///< folder
  std::string name;       ///< file without number and ending: "guarded"
  int number = 0;
  std::string path;         ///< below the root
  std::string idea;         ///< one sentence
  std::string kernel;       ///< name of the entry; empty: the only one
  std::string block, grid;  ///< "256" or "16, 16": up to three expressions
  std::string shared;       ///< bytes of dynamic shared memory; empty: 0
  int needs = 75;           ///< compute capability
  std::vector<std::pair<std::string, std::string>> defines;  ///< name and default
  std::string bytes, flops;  ///< moved and done by one run, at least
};

struct Operation {
  struct Parameter {
    std::string name;
    enum class Kind : std::uint8_t { scalar, input, output } kind = Kind::scalar;
    device::ElementType type = device::ElementType::f32;
    std::vector<std::string> shape;  ///< expressions over the scalars; of input and output
  };
  std::string name;
  std::vector<Parameter> parameters;  ///< in the kernel's order
  std::string tolerance;              ///< "bitwise", "relative 1e-5"
  std::vector<Rung> rungs;            ///< by number
};
/// Reads and checks the folder; the error names file and line.
device::Expected<Operation> load_operation(const std::string& root, std::string_view name);
/// Evaluates an expression over names; the error names the position.
device::Expected<std::int64_t> evaluate(std::string_view expression,
                                        const std::map<std::string, std::int64_t>& names);

struct RungArguments {
  std::map<std::string, std::int64_t> scalars;  ///< also overrides of defines
  std::map<std::string, double> real_scalars;   ///< of f32 and f64 scalars
  std::map<std::string, std::vector<std::byte>>
      inputs;  ///< by name, of the parameter's type and shape
};
struct RungResult {
  std::map<std::string, TensorExhibit> outputs;
  std::shared_ptr<const device::LaunchRecord>
      record;  ///< null where the size was 0 and the launch was skipped
};
/// Compiles, allocates with canaries, launches and copies back. Outputs are filled with NaN bytes first. Throws
/// ExperimentFailed; a damaged canary is an error too.
RungResult run_rung(Lab& lab, const Operation& operation, std::string_view rung,
                    const RungArguments& arguments);

}  // namespace warpbook::lab
