#include "lab/ladder/library_problem.hpp"

#include <string_view>

namespace warpbook::lab {
namespace {

using device::libraries::Activation;
using device::libraries::Layout;
using device::libraries::Pass;
using device::libraries::Pooling;
using device::libraries::Problem;
using device::libraries::ProblemKind;
using Scalars = std::map<std::string, std::int64_t>;

/// Takes `ending` off `name`, if it ends so.
bool take(std::string_view& name, std::string_view ending) {
  if (!name.ends_with(ending)) return false;
  name.remove_suffix(ending.size());
  return true;
}

std::optional<Activation> activation_of(std::string_view name) {
  if (name == "activation_relu") return Activation::relu;
  if (name == "activation_sigmoid") return Activation::sigmoid;
  if (name == "activation_tanh") return Activation::tanh;
  if (name == "activation_gelu") return Activation::gelu;
  return std::nullopt;
}

void set_window(Problem& problem, const Scalars& scalars) {
  problem.window = {scalars.at("r"), scalars.at("s")};
  problem.stride = {scalars.at("stride"), scalars.at("stride")};
  problem.pad = {scalars.at("pad"), scalars.at("pad")};
}

}  // namespace

std::optional<Problem> library_problem(const std::string& operation, const Scalars& scalars) {
  const auto size = [&](const char* name) { return scalars.at(name); };
  std::string_view name = operation;
  Problem problem;
  if (take(name, "_nhwc")) problem.layout = Layout::nhwc;
  if (take(name, "_backward_filter"))
    problem.pass = Pass::filter;
  else if (take(name, "_backward_data") || take(name, "_backward"))
    problem.pass = Pass::data;

  if (name == "sgemm") {
    problem.kind = ProblemKind::matmul;
    problem.m = size("m");
    problem.n = size("n");
    problem.k = size("k");
  } else if (name == "convolution") {
    problem.image = {size("n"), size("c"), size("h"), size("w")};
    problem.filters = size("k");
    set_window(problem, scalars);
    problem.dilation = {size("dilation"), size("dilation")};
  } else if (name == "softmax") {
    problem.kind = ProblemKind::softmax;
    problem.image = {size("rows"), size("columns"), 1, 1};
  } else if (name == "pooling_max" || name == "pooling_average") {
    problem.kind = ProblemKind::pooling;
    problem.pooling = name == "pooling_max" ? Pooling::max : Pooling::average_inside;
    problem.image = {1, size("planes"), size("h"), size("w")};
    set_window(problem, scalars);
  } else if (const auto activation = activation_of(name)) {
    problem.kind = ProblemKind::activation;
    problem.activation = *activation;
    problem.image = {1, 1, 1, size("n")};
  } else {
    return std::nullopt;
  }
  return problem;
}

}  // namespace warpbook::lab
