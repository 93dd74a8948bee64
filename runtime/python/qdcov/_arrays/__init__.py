"""Fields, ndarrays, views and tensors: memory, construction, annotations."""
