// The verbs of the command line. Each is one file under commands/ that adds itself to the program in one line of main.cpp.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "device/error.hpp"
#include "lab/strings.hpp"

namespace warpbook::cli {

enum ExitCode : int {
  kDone = 0,
  kFailed = 1,    ///< ran and failed: a check, a kernel error, a compile error, a launch that CUDA would refuse
  kBadUsage = 2,  ///< flags, unreadable or binary files
  kMissing = 3    ///< something is missing from the machine, with the remedy
};

/// What a verb does once its flags are parsed; returns the exit code.
using Action = std::function<int()>;

void add_list(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_read(CLI::App& app, Action& action);
void add_shot(CLI::App& app, Action& action);
void add_doctor(CLI::App& app, Action& action);
void add_launch(CLI::App& app, Action& action);
void add_workers(CLI::App& app, Action& action);  ///< the hidden verbs in which children run

/// One line on standard error: "warpbook: <sentence>"; gives back the exit code that suits the error.
int complain(const device::Error& error, const lab::Strings& strings);
int complain(const device::Error& error);

}  // namespace warpbook::cli
