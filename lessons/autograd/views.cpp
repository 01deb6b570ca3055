// Tensors and their views: what is rearranged by strides alone, and what a kernel reads through them.
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/autograd/runs.hpp"
#include "lessons/common.hpp"
#include "training/operations.hpp"

namespace warpbook::lessons::autograd {
namespace {

using training::Engine;
using training::Extents;
using training::Tensor;
using Record = std::shared_ptr<const device::LaunchRecord>;

std::string listed(const Extents& extents) {
  std::string text;
  for (const std::int64_t extent : extents)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return text;
}

std::vector<std::uint64_t> shape_of(const Tensor& tensor) {
  return {tensor.shape.begin(), tensor.shape.end()};
}

/// The words of memory from the tensor's storage on, in a row: what lies there, whatever a view makes of it.
lab::TensorExhibit memory_of(Engine& engine, const Tensor& whole) {
  return tensor_of(whole.name(), engine.download(whole));
}

lab::TensorExhibit values_of(Engine& engine, const Tensor& tensor) {
  return tensor_of(tensor.name(), engine.download(tensor), shape_of(tensor));
}

Record last_record(const Engine& engine) { return engine.launches().back().record; }

/// The bytes that all launches from the number `first` on moved at L1.
std::uint64_t bytes_since(const Engine& engine, std::uint64_t first) {
  std::uint64_t bytes = 0;
  for (std::uint64_t i = first - engine.first_noted(); i < engine.launches().size(); ++i)
    bytes += engine.launches()[i].record->total.global_sectors * device::kSectorBytes;
  return bytes;
}

/// As the parameter spells them, which is how PyTorch and NumPy do.
Tensor view_named(const Tensor& t, const std::string& name) {
  if (name == "t.T") return t.transposed(0, 1);
  if (name == "t[:,1]") {
    // A column alone: the axis of extent 1 goes.
    Tensor column = t.sliced(1, 1, 2);
    column.shape.pop_back();
    column.strides.pop_back();
    return column;
  }
  if (name == "t[1:]") return t.sliced(0, 1, 3);
  return t;
}

/// What is added to the 3 x 3: as many elements as its shape has, tens; or the number 5.
Tensor operand_named(Engine& engine, const std::string& shape) {
  if (shape == "5") return engine.upload("b", {1}, {5});
  if (shape == "1x3") return engine.upload("b", {1, 3}, {10, 20, 30});
  if (shape == "3x1") return engine.upload("b", {3, 1}, {10, 20, 30});
  return engine.upload("b", {3, 3}, {10, 20, 30, 40, 50, 60, 70, 80, 90});
}

/// The sum as a loop on the host makes it, from what lies where: a is 1 to 9.
std::vector<float> expected_sum(const Tensor& b, const std::vector<float>& words) {
  std::vector<float> sum;
  for (std::int64_t row = 0; row < 3; ++row) {
    for (std::int64_t column = 0; column < 3; ++column)
      sum.push_back(static_cast<float>(3 * row + column + 1) +
                    words[static_cast<std::size_t>(row * b.strides[0] + column * b.strides[1])]);
  }
  return sum;
}

}  // namespace

void view(lab::Lab& lab, Engine& engine, const device::Evidence& counted) {
  const std::string& name = lab.choice("view");
  const Tensor t = engine.upload("t", {3, 2}, {1, 2, 3, 4, 5, 6});
  const std::uint64_t before = engine.launched();
  const Tensor view = view_named(t, name);
  const std::uint64_t bytes = bytes_since(engine, before);
  const Tensor out = engine.copied(view, "out");
  const Record record = last_record(engine);
  lab.show({"view",
            {"autograd.view.title", {{"view", name}}},
            counted,
            lab::TextExhibit{{"autograd.view.table",
                              {{"view", name},
                               {"shape", listed(view.shape)},
                               {"strides", listed(view.strides)},
                               {"offset", std::to_string(view.offset)},
                               {"bytes", lab::grouped(bytes)}}},
                             true}});
  const lab::TensorExhibit in_memory = memory_of(engine, t), gathered = values_of(engine, out);
  lab.show({"wires",
            {"autograd.wires", {{"view", name}}},
            counted,
            lab::accesses_of(*record, {{in_memory, false}, {gathered, true}})});
  lab.show({"gathered", {"autograd.gathered", {{"view", name}}}, counted, gathered});
}

void sum(lab::Lab& lab, Engine& engine, const device::Evidence& counted) {
  const bool written = lab.choice("memory") == "upload";
  const Tensor a =
      written ? engine.upload("a", {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}) : engine.empty("a", {3, 3});
  const Tensor b = operand_named(engine, lab.choice("operand"));
  const Tensor out = training::add(engine, a, b);
  const Record record = last_record(engine);
  const Tensor repeated = b.broadcast_to(a.shape);
  lab.show({"operand",
            {"autograd.operand.title"},
            counted,
            lab::TextExhibit{{"autograd.operand.table",
                              {{"shape", listed(b.shape)},
                               {"words", std::to_string(b.count())},
                               {"larger", listed(repeated.shape)},
                               {"strides", listed(repeated.strides)}}},
                             true}});
  const lab::TensorExhibit in_a = values_of(engine, a), in_b = memory_of(engine, b);
  const lab::TensorExhibit result = values_of(engine, out);
  lab.show({"sum-wires",
            {"autograd.sum-wires"},
            counted,
            lab::accesses_of(*record, {{in_a, false}, {in_b, false}, {result, true}})});
  lab.show({"sum", {"autograd.sum"}, counted, result});
  lab::CheckExhibit check = check_of("autograd.check.", *record, floats_of(result),
                                     expected_sum(repeated, floats_of(in_b)), std::equal_to{},
                                     [](float value) { return lab::number(value); });
  // Of what nobody has written there is no truth to be held against.
  if (!written) check.items.erase(check.items.begin());
  lab.show({"check", {"autograd.check.title"}, counted, std::move(check)});
}

void reading(lab::Lab& lab, Engine& engine, const device::Evidence& counted) {
  const std::int64_t edge = lab.integer("edge");
  std::vector<float> values(static_cast<std::size_t>(edge * edge));
  std::iota(values.begin(), values.end(), 0.0f);
  const Tensor matrix = engine.upload("matrix", {edge, edge}, values);
  const auto sectors = [&](const Tensor& view) {
    (void)engine.copied(view, "copy");
    return last_record(engine)->total.global_load_sectors;
  };
  const std::uint64_t lying = sectors(matrix), transposed = sectors(matrix.transposed(0, 1));
  lab.show({"reading",
            {"autograd.reading.title", {{"edge", std::to_string(edge)}}},
            counted,
            side_by_side(
                "autograd.reading.", {"sectors"},
                {{count_bar({"autograd.reading.lying"}, lying)},
                 {count_bar({"autograd.reading.transposed"}, transposed)}},
                {{"times",
                  lab::number(static_cast<double>(transposed) / static_cast<double>(lying), 3)}})});
}

void windows(lab::Lab& lab, Engine& engine, const device::Evidence& counted) {
  constexpr std::int64_t kLength = 8, kWidth = 3, kWindows = kLength - kWidth + 1;
  const auto module =
      lab.compile_source("windows_backward.cu",
                         lab::require(lab::read_source_file(
                             lab.context().root, "lessons/autograd/variants/windows_backward.cu")));
  const std::vector<float> ones(static_cast<std::size_t>(kWindows * kWidth), 1.0f);
  const Tensor dy = engine.upload("dy", {kWindows, kWidth}, ones);
  const Tensor dx = engine.empty("dx", {kLength});
  lab.launch(
      launch_of(module, "", kLength, 32,
                {device::Argument::pointer(dy.address()), device::Argument::pointer(dx.address()),
                 number_argument(kLength), number_argument(kWidth)}));
  lab.show({"windows", {"autograd.windows"}, counted, values_of(engine, dx)});
}

}  // namespace warpbook::lessons::autograd
