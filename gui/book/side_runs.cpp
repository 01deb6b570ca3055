#include "gui/book/side_runs.hpp"

namespace warpbook::gui {

SideRuns::SideRuns(const lab::Lesson& lesson, std::shared_ptr<device::Compiler> compiler,
                   std::string root, std::function<void()> wake)
    : lesson_(lesson),
      compiler_(std::move(compiler)),
      root_(std::move(root)),
      queue_([this](const lab::Inputs& inputs,
                    const std::stop_token& stop) { return run(inputs, stop); },
             std::move(wake)) {}

void SideRuns::want(const lab::Inputs& inputs) {
  {
    const std::scoped_lock lock(mutex_);
    if (!runs_.try_emplace(lab::hash_of(inputs), Run{inputs, nullptr}).second) return;
  }
  queue_.add(inputs);
}

void SideRuns::keep_if(const std::function<bool(const lab::Inputs&)>& wanted) {
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(runs_, [&](const auto& run) { return !wanted(run.second.inputs); });
  }
  queue_.drop([&](const lab::Inputs& inputs) { return !wanted(inputs); });
}

std::shared_ptr<const lab::Report> SideRuns::find(const lab::Inputs& inputs) const {
  const std::scoped_lock lock(mutex_);
  const auto found = runs_.find(lab::hash_of(inputs));
  return found == runs_.end() ? nullptr : found->second.report;
}

bool SideRuns::run(const lab::Inputs& inputs, const std::stop_token& stop) {
  auto report =
      std::make_shared<const lab::Report>(lab::run(lesson_, inputs, compiler_, root_, stop));
  const std::scoped_lock lock(mutex_);
  const auto asked = runs_.find(lab::hash_of(inputs));
  if (asked == runs_.end()) return false;
  asked->second.report = std::move(report);
  return true;
}

}  // namespace warpbook::gui
