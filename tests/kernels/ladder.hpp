// What the tests of kernels/ share: operations found by their folders, so that there is no list to forget, and one compiler.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "lab/operation/kernel_check.hpp"

namespace warpbook::tests {

/// Of all folders of kernels/. A test ends where one does not load.
const std::vector<lab::Operation>& operations();
std::shared_ptr<device::Compiler> compiler();
/// Every checker on; shared by a test's checks on one GPU.
std::unique_ptr<lab::Lab> checking_lab(const std::string& gpu);
/// All failures of a verdict in English, one below the other.
std::string english(const lab::KernelVerdict& verdict);
/// Whether a rung keeps account in a workspace that has to begin as 0: its next run would go wrong on what this one left, so the memset
/// before it is timed with it. Outputs that are added to are only a wrong sum by then, and nothing is set before them.
inline bool keeps_account(const lab::Rung& rung) {
  return std::ranges::any_of(rung.workspaces, [&](const lab::Workspace& workspace) {
    return std::ranges::find(rung.zero, workspace.name) != rung.zero.end();
  });
}
/// The architectures that NVRTC 13 compiles for, and those that ci is content with.
std::vector<int> every_architecture();

}  // namespace warpbook::tests
