"""What steps there are: for each operator a function that makes a step which fits a draft."""
