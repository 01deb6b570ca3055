// A bucket: the gradients of many parameters in one tensor, so that an exchange is one message and not one for each of them.
#pragma once

#include <vector>

#include "training/tape.hpp"

namespace warpbook::training {

class Bucket {
 public:
  /// Room for the gradients of `parameters` and for `more` numbers behind them.
  Bucket(Engine& engine, std::vector<Variable> parameters, std::int64_t more = 0);

  /// Copies the gradients in, within the device. Each parameter has one.
  void fill(Engine& engine);
  /// From now on the gradients are what the bucket holds: views of it.
  void spread();
  [[nodiscard]] const Tensor& values() const { return values_; }
  /// The numbers behind the gradients.
  [[nodiscard]] Tensor rest() const { return values_.sliced(0, gradients_, values_.count()); }

 private:
  [[nodiscard]] std::vector<Tensor> places() const;

  std::vector<Variable> parameters_;
  std::int64_t gradients_ = 0;
  Tensor values_;
};

}  // namespace warpbook::training
