#include "lab/experiment/remembered_part.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "device/launch_memo.hpp"
#include "device/wire/bytes.hpp"
#include "device/wire/held_bytes.hpp"
#include "lab/text/files_read.hpp"

namespace warpbook::lab {
namespace {

using device::Fingerprint;

struct Shown {
  std::vector<Exhibit> exhibits;
  FilesRead::Files files;
  std::any given;
};

/// What parts showed, by all that they depend on. Calls may come from any thread.
class ShownMemo {
 public:
  std::shared_ptr<const Shown> find(const Fingerprint& asked) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(kept_, asked, &Kept::asked);
    if (found == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return found->shown;
  }
  /// In place of what was kept for the same.
  void keep(const Fingerprint& asked, std::shared_ptr<const Shown> shown) {
    constexpr std::size_t kMost = 64;  // what they give is not counted, and is small
    const std::uint64_t bytes = device::held_bytes(shown->exhibits);
    const std::lock_guard lock(mutex_);
    if (const auto same = std::ranges::find(kept_, asked, &Kept::asked); same != kept_.end())
      drop(same);
    if (bytes > kMostPartBytes) return;
    kept_.push_front({asked, std::move(shown), bytes});
    bytes_ += bytes;
    while (bytes_ > kMostPartBytes || kept_.size() > kMost) drop(std::prev(kept_.end()));
  }
  std::uint64_t bytes() {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  struct Kept {
    Fingerprint asked;
    std::shared_ptr<const Shown> shown;
    std::uint64_t bytes = 0;
  };
  void drop(std::list<Kept>::iterator kept) {
    bytes_ -= kept->bytes;
    kept_.erase(kept);
  }
  std::mutex mutex_;
  std::list<Kept> kept_;  ///< the one that was asked for last first
  std::uint64_t bytes_ = 0;
};

ShownMemo& shown_before() {
  static ShownMemo memo;
  return memo;
}

bool can_be_kept(const Lab& lab) {
  return lab.context().memo && lab.context().device->properties().simulated;
}

Fingerprint name_of(const RememberedPart& part, const Lab& lab) {
  const Lab::Context& context = lab.context();
  Inputs inputs = *context.inputs;
  inputs.values = {};
  if (part.fixed) inputs.sources.clear();
  for (const auto& [name, value] : context.inputs->values.all()) {
    if (!part.fixed && std::ranges::find(part.unread, name) == part.unread.end())
      inputs.values.set(name, value);
  }
  const std::string asked = device::to_bytes(
      std::tuple(part.name, context.root, inputs.values, inputs.sources, inputs.gpu, inputs.seed,
                 context.checks, context.budget.thread_instructions, context.budget.seconds,
                 context.budget.output_bytes, context.budget.drop_output,
                 context.budget.memory_bytes, context.sass, context.perturb_approximations));
  return device::fingerprint_of(std::as_bytes(std::span(asked)));
}

void run_or_show(const RememberedPart& part, Lab& lab) {
  std::optional<Fingerprint> asked;
  if (can_be_kept(lab)) {
    asked = name_of(part, lab);
    if (const auto known = shown_before().find(*asked); known && unchanged(known->files)) {
      for (const Exhibit& exhibit : known->exhibits) lab.show(exhibit);
      if (part.gives) *part.gives = known->given;
      return;
    }
  }
  if (lab.leaves_out()) {
    // What other parts need is made anew each time, perhaps coarser, so it is not kept.
    if (part.draft)
      part.draft(lab);
    else if (part.gives)
      part.run(lab);
    return;
  }
  if (!asked) return part.run(lab);
  const FilesRead files;
  part.run(lab);
  Report made = lab.take_report();
  const bool printed =
      std::ranges::find(made.exhibits, "output", &Exhibit::id) != made.exhibits.end();
  if (made.errors.empty() && !printed && !lab.cancelled()) {
    shown_before().keep(
        *asked, std::make_shared<const Shown>(
                    Shown{made.exhibits, files.files(), part.gives ? *part.gives : std::any()}));
  }
  for (Exhibit& exhibit : made.exhibits) lab.show(std::move(exhibit));
  for (device::Error& error : made.errors) lab.report_error(std::move(error));
}

}  // namespace

Lab::Part remembered(RememberedPart part) {
  return [part = std::move(part)](Lab& lab) { run_or_show(part, lab); };
}

std::uint64_t part_bytes_of_before() { return shown_before().bytes(); }

}  // namespace warpbook::lab
