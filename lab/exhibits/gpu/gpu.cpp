#include "lab/exhibits/gpu/gpu.hpp"

#include <cmath>

#include "device/gpu_table.hpp"
#include "device/types.hpp"
#include "lab/exhibits/gpu/gpu_summary.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kRegisterBytes = 4;

std::string capability_text(const GpuExhibit& gpu) {
  return std::to_string(gpu.compute_capability / 10) + "." +
         std::to_string(gpu.compute_capability % 10);
}

}  // namespace

GpuExhibit gpu_of(const device::Properties& gpu, std::string source) {
  GpuExhibit made;
  made.name = gpu.name;
  made.compute_capability = static_cast<std::uint32_t>(gpu.compute_capability);
  made.multiprocessors = gpu.multiprocessors;
  made.warps = gpu.max_threads_per_multiprocessor / device::kLanes;
  made.registers = kRegisterBytes * gpu.registers_per_multiprocessor;
  made.l1 = std::uint64_t{device::rates_of(gpu).l1_kib} << 10;
  made.shared = gpu.shared_per_multiprocessor;
  made.l2 = gpu.l2_bytes;
  made.memory = gpu.global_bytes;
  made.memory_rate = device::memory_rate(gpu);
  made.source = std::move(source);
  return made;
}

std::uint64_t resident_threads(const GpuExhibit& gpu) {
  return std::uint64_t{gpu.multiprocessors} * gpu.warps * device::kLanes;
}

std::string memory_text(const GpuExhibit& gpu) {
  constexpr std::uint64_t kGiB = 1ull << 30;
  if (gpu.memory % kGiB == 0) return byte_count(gpu.memory);
  return number(static_cast<double>(gpu.memory) / 1e9, 4) + " GB";
}

std::string memory_rate_text(const GpuExhibit& gpu) {
  const double rate = gpu.memory_rate / 1e9;
  constexpr double kMostWhole = 1e15;
  return rate >= 0 && rate < kMostWhole ? grouped(static_cast<std::uint64_t>(std::round(rate)))
                                        : number(rate);
}

std::string source_text(const GpuExhibit& gpu, const Strings& strings) {
  return strings("gpu.source", {{"source", gpu.source}});
}

std::vector<std::vector<std::string>> rows_of(const GpuExhibit& gpu, const Strings& strings) {
  const auto both = [&](std::uint64_t one) {
    return std::vector{byte_count(one), byte_count(gpu.multiprocessors * one)};
  };
  std::vector<std::vector<std::string>> rows{
      {strings("gpu.head.what"), strings("gpu.head.each"), strings("gpu.head.all")}};
  const auto add = [&](const char* what, std::vector<std::string> amounts) {
    amounts.insert(amounts.begin(), strings(std::string("gpu.row.") + what));
    rows.push_back(std::move(amounts));
  };
  add("multiprocessors", {"", grouped(gpu.multiprocessors)});
  add("warps", {grouped(gpu.warps), grouped(std::uint64_t{gpu.multiprocessors} * gpu.warps)});
  add("threads",
      {grouped(std::uint64_t{gpu.warps} * device::kLanes), grouped(resident_threads(gpu))});
  add("registers", both(gpu.registers));
  add("l1", both(gpu.l1));
  add("shared", both(gpu.shared));
  add("l2", {"", byte_count(gpu.l2)});
  add("memory", {"", memory_text(gpu)});
  add("rate", {"", memory_rate_text(gpu) + " GB/s"});
  return rows;
}

std::string sentence_of(const GpuExhibit& gpu, const Strings& strings) {
  if (gpu.multiprocessors == 0) return strings("gpu.nothing");
  return strings("gpu.sentence", {{"gpu", gpu.name},
                                  {"capability", capability_text(gpu)},
                                  {"multiprocessors", grouped(gpu.multiprocessors)},
                                  {"warps", grouped(gpu.warps)},
                                  {"resident", grouped(resident_threads(gpu))},
                                  {"l2", byte_count(gpu.l2)},
                                  {"memory", memory_text(gpu)},
                                  {"bandwidth", memory_rate_text(gpu)}});
}

void text_body(const GpuExhibit& gpu, const Strings& strings, Page& page) {
  if (gpu.multiprocessors == 0) return;
  constexpr std::size_t kWhatColumn = 0;
  text_rows(rows_of(gpu, strings), page, kWhatColumn);
  page.paragraph(source_text(gpu, strings), 2, Ink::quiet);
}

Table table_of(const GpuExhibit& gpu, const Strings& strings) {
  auto rows = rows_of(gpu, strings);
  Table table{rows.front(), {}};
  if (gpu.multiprocessors != 0) table.rows.assign(rows.begin() + 1, rows.end());
  return table;
}

void compare(const GpuExhibit& a, const GpuExhibit& b, Comparer& comparer) {
  comparer.figure("multiprocessors", figure_of(a.multiprocessors), figure_of(b.multiprocessors));
  comparer.figure("resident_threads", figure_of(resident_threads(a)),
                  figure_of(resident_threads(b)));
}

}  // namespace warpbook::lab
