#include "device/simulator/state/launch_observer.hpp"

#include <algorithm>
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

void LaunchObserver::wrote(const Allocation& allocation) {
  const auto at = std::ranges::lower_bound(written, allocation.address);
  if (at == written.end() || *at != allocation.address) written.insert(at, allocation.address);
}

}  // namespace warpbook::device
