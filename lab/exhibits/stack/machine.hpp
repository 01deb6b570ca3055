// What this machine has of what CUDA needs: looked for, held against each other, and made into an exhibit.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/error.hpp"
#include "device/libraries/client.hpp"
#include "lab/exhibits/stack/stack.hpp"

namespace warpbook::lab {

/// One part of what Warpbook can use.
struct MachinePart {
  std::string
      part;  ///< "gpu", "driver", "toolkit", ...: its name is the string machine.part.<part>
  std::vector<std::string>
      found;  ///< version, file, name: what a person would want to read; empty: it is not here
  std::optional<device::Error> error;  ///< why it is not here, or cannot be used
  /// Instead of an error: a key below machine.missing, with arguments.
  std::string missing;
  MessageArguments arguments;
  std::string remedy;  ///< the one command that mends it; empty: nothing to mend
};

/// Whether two parts fit each other.
struct MachineFit {
  std::string name;  ///< a key below machine.fit
  bool fits = false;
  MessageArguments arguments;
};

struct Machine {
  std::vector<MachinePart> parts;
  std::vector<MachineFit> fits;  ///< of those parts that are here
  std::string when;              ///< it was looked at; ISO 8601, UTC
};

/// The program that writes machine code out.
struct Disassembler {
  std::string version;  ///< "13.2.86"
  std::string file;
};

/// What the libraries and the driver said of themselves.
struct MachineAnswers {
  device::Expected<device::libraries::DriverFacts> driver;
  device::Expected<device::libraries::Identity> cudnn, cublas, onednn;
  /// NVIDIA's disassembler; nothing: it was not looked for.
  std::optional<device::Expected<Disassembler>> disassembler;
};

/// How much of the look is done, 0 to 1, and the part that was just heard of.
using LookProgress = std::function<void(double fraction, std::string_view part)>;

/// Looks for GPU, driver, compiler and libraries; takes a second or two. What runs somebody else's code runs in a worker. `stop`
/// ends it at once: error cancelled. Progress is told on the calling thread.
device::Expected<Machine> look_at_machine(const device::Compiler::Status& compiler,
                                          const std::stop_token& stop = {},
                                          const LookProgress& progress = {});
/// The same of answers that are there already.
Machine machine_of(const device::Compiler::Status& compiler, const MachineAnswers& answers);

/// Those parts that kernels are compiled with and run on, with this CPU and its simulator beside them.
StackExhibit stack_of(const Machine& machine);

}  // namespace warpbook::lab
