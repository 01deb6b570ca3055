#include "device/simulator/state/launch_observer.hpp"

#include <utility>

namespace warpbook::device {

void LaunchObserver::find(RawFinding finding) {
  ++findings_total;
  if (findings.size() >= kFindings) return;
  // One entry per thread for the same thing at the same instruction.
  for (auto f = findings.rbegin(); f != findings.rend() && f->block == finding.block; ++f) {
    if (f->thread == finding.thread && f->instruction == finding.instruction &&
        f->code == finding.code)
      return;
  }
  findings.push_back(std::move(finding));
}

}  // namespace warpbook::device
